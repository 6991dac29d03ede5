import Crypto
import EyotContract
import Foundation

/// The secrets and settings that a lab needs after a restart, beside its database and phones.
struct LabSecrets: Sendable {
    var masterKey: String
    var controlSecret: String
    var operatorKey: String?
    var apiKey: String?
    var appKey: String?
    /// Keys for the vendors' APIs with their identifiers, by their names in ``LabDescription``.
    var vendorKeys: [String: String] = [:]
    /// The PostgreSQL database that knows these keys, without user and password; nil for the folder's file.
    var database: String?
    /// How many seconds the lab's clock was ahead.
    var clockLead: Double

    /// Makes new secrets.
    init() {
        masterKey = Self.random().base64EncodedString()
        controlSecret = HexBytes.text(of: Self.random())
        clockLead = 0
    }

    private static func random() -> Data { SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) } }

    /// Reads secrets from the form that ``json`` writes.
    init(json: JSONValue) throws(JSONFieldError) {
        var fields = try JSONFields(json)
        masterKey = try fields.required("masterKey", fields.string("masterKey"))
        controlSecret = try fields.required("controlSecret", fields.string("controlSecret"))
        operatorKey = try fields.string("operatorKey")
        apiKey = try fields.string("apiKey")
        appKey = try fields.string("appKey")
        if var keys = try fields.fields("vendorKeys") {
            for name in LabVendorKey.names { vendorKeys[name] = try keys.string(name) }
        }
        database = try fields.string("database")
        clockLead = try fields.double("clockLead") ?? 0
    }

    var json: JSONValue {
        var object = JSONObject([("masterKey", .string(masterKey)), ("controlSecret", .string(controlSecret))])
        object["operatorKey"] = operatorKey.map(JSONValue.string)
        object["apiKey"] = apiKey.map(JSONValue.string)
        object["appKey"] = appKey.map(JSONValue.string)
        let keys = LabVendorKey.names.compactMap { name in vendorKeys[name].map { (name, JSONValue.string($0)) } }
        object["vendorKeys"] = .object(JSONObject(keys))
        object["database"] = database.map(JSONValue.string)
        object["clockLead"] = .finite(clockLead)
        return .object(object)
    }
}

extension LabFolder {
    /// Returns the secrets of the lab that ran here before, or new ones.
    ///
    /// - Parameter database: the PostgreSQL database of the lab, without user and password; nil for the folder's file.
    func loadSecrets(for database: String?) throws(LabError) -> LabSecrets {
        var secrets = LabSecrets()
        guard FileManager.default.fileExists(atPath: secretsFile.path) else {
            secrets.database = database
            return secrets
        }
        do {
            secrets = try LabSecrets(json: JSONValue(parsing: Data(contentsOf: secretsFile)))
        } catch {
            throw .folder(path: secretsFile.path, reason: "\(error)")
        }
        guard secrets.database == database else {
            throw .folder(
                path: url.path,
                reason: """
                    its phones and keys belong to the database \(secrets.database ?? self.database). Use that one, or \
                    another folder
                    """)
        }
        return secrets
    }

    func save(_ secrets: LabSecrets) throws(LabError) { try write(secret: secrets.json.utf8, to: secretsFile) }

    /// Returns the APNs key of the lab that ran here before, or a new one.
    func loadKey() throws(LabError) -> P256.Signing.PrivateKey {
        do {
            if FileManager.default.fileExists(atPath: keyFile.path) {
                return try P256.Signing.PrivateKey(pemRepresentation: String(contentsOf: keyFile, encoding: .utf8))
            }
            let key = P256.Signing.PrivateKey()
            try write(secret: Array(key.pemRepresentation.utf8), to: keyFile)
            return key
        } catch {
            throw .folder(path: keyFile.path, reason: "\(error)")
        }
    }
}
