import Crypto
import EyotContract
import EyotDomain
import Foundation

/// The key that seals other secrets at rest. It is kept outside the database: in the environment, or in a file of its
/// own.
package struct MasterKey: Sendable, Hashable {
    /// The name of the key, stored beside what it sealed. It reveals nothing of the key.
    package let id: String
    let bytes: [UInt8]

    private static let length = 32
    private static let idBytes = 8

    /// A new key, from the system's random generator.
    package static func make() -> MasterKey {
        MasterKey(checked: SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) })
    }

    /// Reads 64 hexadecimal digits, or 32 bytes in base64.
    ///
    /// - Throws: ``SealError/masterKeyMalformed`` for anything else.
    package init(text: String) throws(SealError) {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        let decoded = HexBytes.bytes(of: trimmed) ?? Data(base64Encoded: trimmed).map { Array($0) }
        guard let decoded, decoded.count == Self.length else { throw .masterKeyMalformed }
        self.init(checked: decoded)
    }

    private init(checked bytes: [UInt8]) {
        self.bytes = bytes
        // The prefix differs from all other hashed texts, so the id is of no use elsewhere.
        let digest = SHA256.hash(data: Data("eyot master key ".utf8) + bytes)
        id = HexBytes.text(of: digest.prefix(Self.idBytes))
    }

    /// The key as ``init(text:)`` reads it. For its file, never for a log.
    package var text: String { HexBytes.text(of: bytes) }
}

extension MasterKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "master key \(id)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["id": id]) }
}

/// The reason why a sealed secret cannot be opened, or a master key cannot be used.
package enum SealError: Error, Sendable, Equatable, CustomStringConvertible {
    case masterKeyMalformed
    /// The secret was sealed with a key that was not given.
    case masterKeyUnknown(sealedWith: String, given: [String])
    /// The secret was changed, or moved here from another place.
    case damaged(masterKeyID: String)

    package var description: String {
        switch self {
        case .masterKeyMalformed:
            "the master key must be 64 hexadecimal digits, or 32 bytes in base64"
        case .masterKeyUnknown(let id, let given):
            "sealed with master key \(id), and given is \(given.joined(separator: ", ")): "
                + "start with the master key that this database was made with"
        case .damaged(let id):
            "sealed with master key \(id), and it was changed since or belongs to another app or environment"
        }
    }
}
