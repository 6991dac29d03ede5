import EyotContract
import EyotDomain

extension APNSKey: SQLRecord {
    static let table = SQLTable(
        "apns_keys", key: "app", "environment",
        changing: ["team_id", "key_id", "master_key_id", "sealed_key", "added_at"])

    var values: [SQLValue] {
        [
            SQLValue(app), SQLValue(environment), SQLValue(teamID), SQLValue(keyID), SQLValue(sealed.masterKeyID),
            SQLValue(sealed.box), SQLValue(addedAt),
        ]
    }

    init(columns: inout SQLColumns) throws {
        self.init(
            app: AppID(rawValue: try columns.number()), environment: try columns.word(), teamID: try columns.text(),
            keyID: try columns.text(),
            sealed: SealedSecret(masterKeyID: try columns.text(), box: try columns.bytes()),
            addedAt: try columns.moment())
    }
}

extension APIKey: SQLRecord {
    static let table = SQLTable(
        "api_keys", key: "id",
        fixed: ["app", "hash", "hint", "created_at", "plane", "identifier", "public_key", "addresses", "environment"],
        changing: ["name", "revoked_at", "scopes", "expires_at", "last_used_at"])

    var values: [SQLValue] {
        [
            .integer(id), SQLValue(app), SQLValue(hash), SQLValue(hint), SQLValue(createdAt),
            .text(plane.rawValue), SQLValue(identifier), SQLValue(publicKey),
            SQLValue(addresses?.joined(separator: " ")), SQLValue(environment?.rawValue), SQLValue(name),
            SQLValue(revokedAt), SQLValue(scopes.map(Self.text(of:))), SQLValue(expiresAt), SQLValue(lastUsedAt),
        ]
    }

    init(columns: inout SQLColumns) throws {
        let id = try columns.number()
        let app = try columns.optionalNumber().map(AppID.init(rawValue:))
        let hash = SecretHash(bytes: try columns.bytes())
        let hint = try columns.text()
        let createdAt = try columns.moment()
        let plane = KeyPlane(rawValue: try columns.text())
        let (identifier, publicKey) = (try columns.optionalText(), try columns.optionalText())
        let addresses = try columns.optionalText()?.split(separator: " ").map(String.init)
        let environment: PushEnvironment? = try columns.optionalWord()
        self.init(
            id: id, app: app, name: try columns.text(), hash: hash, hint: hint, createdAt: createdAt, plane: plane,
            identifier: identifier)
        (self.publicKey, self.addresses, self.environment) = (publicKey, addresses, environment)
        revokedAt = try columns.optionalMoment()
        scopes = try columns.optionalText().map(Self.scopes(in:))
        expiresAt = try columns.optionalMoment()
        lastUsedAt = try columns.optionalMoment()
    }

    /// The scopes in alphabetical order, with spaces between them.
    private static func text(of scopes: Set<KeyScope>) -> String {
        scopes.map(\.rawValue).sorted().joined(separator: " ")
    }

    /// The scopes of a text. A scope that only another version of this program knows is left out, so the key does not
    /// have it here.
    private static func scopes(in text: String) -> Set<KeyScope> {
        Set(text.split(separator: " ").compactMap { KeyScope(rawValue: String($0)) })
    }
}
