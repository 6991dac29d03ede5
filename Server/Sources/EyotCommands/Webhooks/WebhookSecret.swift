import Crypto
import EyotContract
import EyotDomain
import Foundation

/// A secret that signs the messages of a webhook, as Standard Webhooks 1.0 has them.
package enum WebhookSecret: Sendable {
    /// Shared with the receiver: `whsec_` and 24 to 64 bytes in base64.
    case shared([UInt8])
    /// The private part of a pair for Ed25519: `whsk_` and its 32 bytes in base64. Receivers have `whpk_`.
    case pair(Curve25519.Signing.PrivateKey)

    /// The scheme of signatures, as it begins them.
    package enum Scheme: String, Sendable, Hashable, CaseIterable {
        case v1
        case v1a
    }

    private static let sharedPrefix = "whsec_"
    private static let privatePrefix = "whsk_"
    private static let publicPrefix = "whpk_"
    static let sharedBytes = 24...64
    /// The bytes of a secret that is made here.
    private static let newBytes = 32

    /// Makes a secret with the system's random generator.
    package static func make(_ scheme: Scheme) -> WebhookSecret {
        switch scheme {
        case .v1:
            .shared(SymmetricKey(size: SymmetricKeySize(bitCount: newBytes * 8)).withUnsafeBytes { Array($0) })
        case .v1a: .pair(Curve25519.Signing.PrivateKey())
        }
    }

    /// Reads a secret; nil for any other text.
    package init?(text: String) {
        if text.hasPrefix(Self.sharedPrefix) {
            guard let bytes = Data(base64Encoded: String(text.dropFirst(Self.sharedPrefix.count))),
                Self.sharedBytes.contains(bytes.count)
            else { return nil }
            self = .shared(Array(bytes))
        } else if text.hasPrefix(Self.privatePrefix) {
            guard let bytes = Data(base64Encoded: String(text.dropFirst(Self.privatePrefix.count))),
                let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
            else { return nil }
            self = .pair(key)
        } else {
            return nil
        }
    }

    /// The secret as it is shown or sealed.
    package var text: Secret {
        switch self {
        case .shared(let bytes): Secret(Self.sharedPrefix + Data(bytes).base64EncodedString())
        case .pair(let key): Secret(Self.privatePrefix + key.rawRepresentation.base64EncodedString())
        }
    }

    /// The key by which receivers verify; nil if they need the secret itself.
    package var publicKey: String? {
        guard case .pair(let key) = self else { return nil }
        return Self.publicPrefix + key.publicKey.rawRepresentation.base64EncodedString()
    }

    package var scheme: Scheme {
        switch self {
        case .shared: .v1
        case .pair: .v1a
        }
    }

    /// The signature of a message: the scheme, a comma, and base64 of the bytes.
    package func signature(id: String, timestamp: String, body: [UInt8]) throws -> String {
        let signed = Data("\(id).\(timestamp).".utf8) + body
        let bytes =
            switch self {
            case .shared(let bytes):
                Data(HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: bytes)))
            case .pair(let key): try key.signature(for: signed)
            }
        return "\(scheme.rawValue),\(bytes.base64EncodedString())"
    }
}

extension WebhookMessage {
    /// Makes a message with the signature of each secret, so that a receiver may have any of them.
    package init(id: String, body: [UInt8], secrets: [WebhookSecret], at now: Instant) throws {
        let timestamp = String(now.second)
        let signatures = try secrets.map { try $0.signature(id: id, timestamp: timestamp, body: body) }
        self.init(id: id, timestamp: timestamp, signature: signatures.joined(separator: " "), body: body)
    }
}
