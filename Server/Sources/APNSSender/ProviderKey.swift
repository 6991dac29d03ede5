import APNSWire
import Crypto
import EyotContract
import Foundation

/// An APNs authentication key of a developer team: what provider tokens are signed with.
///
/// The private key never shows: not in the description, not in an error.
public struct ProviderKey: Sendable {
    /// The ten characters that Apple calls the team id.
    public let teamID: String
    /// The ten characters that Apple calls the key id; they are part of the file's name, `AuthKey_<key id>.p8`.
    public let keyID: String
    let privateKey: P256.Signing.PrivateKey
    private let publicBytes: Data

    /// Takes a key from the bytes of a `.p8` file.
    ///
    /// - Throws: ``ProviderKeyError``, which says what the bytes are where they are not such a file.
    public init(teamID: String, keyID: String, p8: some Sequence<UInt8>) throws(ProviderKeyError) {
        try self.init(teamID: teamID, keyID: keyID, privateKey: ProviderKeyFile(bytes: Array(p8)).privateKey())
    }

    /// Takes a key that is in memory already.
    ///
    /// - Throws: ``ProviderKeyError`` where an id has not ten letters and digits.
    public init(teamID: String, keyID: String, privateKey: P256.Signing.PrivateKey) throws(ProviderKeyError) {
        guard Self.isIdentifier(teamID) else { throw .teamID(teamID) }
        guard Self.isIdentifier(keyID) else { throw .keyID(keyID) }
        self.teamID = teamID
        self.keyID = keyID
        self.privateKey = privateKey
        publicBytes = privateKey.publicKey.x963Representation
    }

    private static func isIdentifier(_ text: String) -> Bool {
        text.utf8.count == APNSLimits.identifierCharacters
            && text.unicodeScalars.allSatisfy { $0.isASCII && $0.properties.isAlphabetic || ("0"..."9").contains($0) }
    }
}

extension ProviderKey: Hashable {
    /// Two keys are the same where team, key id and public key are.
    public static func == (left: ProviderKey, right: ProviderKey) -> Bool {
        (left.teamID, left.keyID, left.publicBytes) == (right.teamID, right.keyID, right.publicBytes)
    }

    /// Hashes what makes a key.
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
    /// The two ids, so that a dump does not show the rest.
    public var customMirror: Mirror { Mirror(self, children: ["teamID": teamID, "keyID": keyID]) }
}

/// Why something is not an APNs authentication key.
public enum ProviderKeyError: Error, Sendable, Equatable {
    /// The team id has not ten letters and digits.
    case teamID(String)
    /// The key id has not ten letters and digits.
    case keyID(String)
    /// There is nothing in the file.
    case empty
    /// The file is a certificate.
    case certificate
    /// The file is binary: a `.p12` with a certificate and its key, or a certificate in DER.
    case binary
    /// The key is locked with a password.
    case encrypted
    /// The key is an RSA key.
    case rsa
    /// The file holds only the public half.
    case publicKey
    /// The key is one for another curve, or for another purpose.
    case otherKey
    /// There is no PEM block, or its content is damaged.
    case unreadable
}

extension ProviderKeyError: CustomStringConvertible {
    /// What is wrong, and how to get a file that is right.
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

/// The bytes of a file that ought to be a `.p8`: one PEM block with a P-256 key in PKCS #8.
private struct ProviderKeyFile {
    let bytes: [UInt8]

    /// Larger files are not looked into; a `.p8` has some 260 bytes.
    private static let maximumLength = 65_536
    /// The object identifier rsaEncryption, as it stands in a key's algorithm.
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

    /// What stands between the first BEGIN and END lines, decoded.
    private static func content(of text: String) -> [UInt8]? {
        let lines = text.split(whereSeparator: \.isNewline)
        guard let begin = lines.firstIndex(where: { $0.hasPrefix("-----BEGIN") }),
            let end = lines[begin...].firstIndex(where: { $0.hasPrefix("-----END") })
        else { return nil }
        return Data(base64Encoded: lines[lines.index(after: begin)..<end].joined()).map(Array.init)
    }
}
