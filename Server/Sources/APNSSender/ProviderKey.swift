import APNSWire
import Crypto
import EyotContract
import Foundation

/// An APNs authentication key of a developer team, which signs provider tokens.
///
/// The private key never shows, neither in a description nor in an error.
public struct ProviderKey: Sendable {
    /// Apple's team id, ten characters.
    public let teamID: String
    /// Apple's key id, ten characters. It is part of the file's name, `AuthKey_<key id>.p8`.
    public let keyID: String
    let privateKey: P256.Signing.PrivateKey
    private let publicBytes: Data

    /// Makes a key from the bytes of a `.p8` file.
    ///
    /// - Throws: ``ProviderKeyError``, which identifies other kinds of files.
    public init(teamID: String, keyID: String, p8: some Sequence<UInt8>) throws(ProviderKeyError) {
        try self.init(teamID: teamID, keyID: keyID, privateKey: ProviderKeyFile(bytes: Array(p8)).privateKey())
    }

    /// Makes a key from a private key in memory.
    ///
    /// - Throws: ``ProviderKeyError`` unless each id has ten letters and digits.
    public init(teamID: String, keyID: String, privateKey: P256.Signing.PrivateKey) throws(ProviderKeyError) {
        guard Self.isIdentifier(teamID) else { throw .teamID(teamID) }
        guard Self.isIdentifier(keyID) else { throw .keyID(keyID) }
        self.teamID = teamID
        self.keyID = keyID
        self.privateKey = privateKey
        publicBytes = privateKey.publicKey.x963Representation
    }

    /// The SHA-256 of both ids and of the public key, as hexadecimal digits. A key has the same in every process.
    public var fingerprint: String {
        HexBytes.text(of: SHA256.hash(data: Array("\(teamID)|\(keyID)|".utf8) + publicBytes))
    }

    private static func isIdentifier(_ text: String) -> Bool {
        text.utf8.count == APNSLimits.identifierCharacters
            && text.unicodeScalars.allSatisfy { $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0) }
    }
}

extension ProviderKey: Hashable {
    /// Compares team, key id and public key.
    public static func == (left: ProviderKey, right: ProviderKey) -> Bool {
        (left.teamID, left.keyID, left.publicBytes) == (right.teamID, right.keyID, right.publicBytes)
    }

    /// Hashes team, key id and public key.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(teamID)
        hasher.combine(keyID)
        hasher.combine(publicBytes)
    }
}

extension ProviderKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The two ids.
    public var description: String { "key \(keyID) of team \(teamID)" }
    /// The two ids.
    public var debugDescription: String { description }
    /// The two ids, so that a dump shows nothing else.
    public var customMirror: Mirror { Mirror(self, children: ["teamID": teamID, "keyID": keyID]) }
}

/// The reason why bytes are not an APNs authentication key.
public enum ProviderKeyError: Error, Sendable, Equatable {
    /// The team id does not have ten letters and digits.
    case teamID(String)
    /// The key id does not have ten letters and digits.
    case keyID(String)
    /// The file is empty.
    case empty
    /// The file is a certificate.
    case certificate
    /// The file is binary: a `.p12` with a certificate and its key, or a certificate in DER.
    case binary
    /// The key is protected by a password.
    case encrypted
    /// The key is an RSA key.
    case rsa
    /// The file has only the public half.
    case publicKey
    /// The key has another curve or another purpose.
    case otherKey
    /// There is no PEM block, or its content is damaged.
    case unreadable
}

extension ProviderKeyError: CustomStringConvertible {
    /// A sentence with the error, and the way to get a correct file.
    public var description: String {
        switch self {
        case .teamID(let id): "\"\(id)\" is not a team id: it has ten letters and digits (Membership details)"
        case .keyID(let id): "\"\(id)\" is not a key id: it has ten letters and digits, as in AuthKey_<key id>.p8"
        default: "\(finding). \(Self.remedy)"
        }
    }

    private var finding: String {
        switch self {
        case .empty: "The file is empty"
        case .certificate: "This is a certificate, not a key; Live Activities need a key"
        case .binary: "This is a binary file, such as a .p12 or a certificate; Live Activities need a key as text"
        case .encrypted: "This key is locked with a password; Apple's .p8 files are not"
        case .rsa: "This is an RSA key; Apple's are P-256 keys"
        case .publicKey: "This is only the public half of a key"
        case .otherKey: "This is a private key, but not a P-256 key"
        default: "This is not a readable .p8 file"
        }
    }

    private static let remedy =
        "Get a .p8 file at developer.apple.com: Certificates, Identifiers & Profiles, Keys, with Apple Push "
        + "Notifications service switched on; it can be downloaded once."
}

/// The bytes of a file that should be a `.p8`: one PEM block with a P-256 key in PKCS #8.
private struct ProviderKeyFile {
    let bytes: [UInt8]

    /// The largest file that is read. A `.p8` has about 260 bytes.
    private static let maximumLength = 65_536
    /// The object identifier rsaEncryption, in the encoding of a key's algorithm.
    private static let rsaIdentifier: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]

    func privateKey() throws(ProviderKeyError) -> P256.Signing.PrivateKey {
        guard !bytes.isEmpty else { throw .empty }
        // DER begins with a SEQUENCE, and so do .p12 and .cer files.
        if bytes.first == 0x30 { throw .binary }
        guard bytes.count <= Self.maximumLength else { throw .unreadable }
        let text = String(decoding: bytes, as: UTF8.self)
        if text.contains("ENCRYPTED") { throw .encrypted }
        if text.contains("-----BEGIN RSA PRIVATE KEY-----") { throw .rsa }
        if let key = try? P256.Signing.PrivateKey(
            pemRepresentation: text.trimmingCharacters(in: .whitespacesAndNewlines))
        {
            return key
        }
        if text.contains("-----BEGIN CERTIFICATE-----") { throw .certificate }
        if text.contains("-----BEGIN PUBLIC KEY-----") { throw .publicKey }
        guard text.contains("PRIVATE KEY-----"), let content = Self.content(of: text) else { throw .unreadable }
        throw content.firstRange(of: Self.rsaIdentifier) != nil ? .rsa : .otherKey
    }

    /// Returns the decoded content between the first BEGIN and END lines.
    private static func content(of text: String) -> [UInt8]? {
        let lines = text.split(whereSeparator: \.isNewline)
        guard let begin = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN") }),
            let end = lines[begin...].firstIndex(where: { $0.hasPrefix("-----END") })
        else { return nil }
        return Data(base64Encoded: lines[lines.index(after: begin)..<end].joined()).map(Array.init)
    }
}
