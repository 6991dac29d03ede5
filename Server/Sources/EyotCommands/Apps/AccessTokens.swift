import Crypto
import EyotContract
import EyotDomain
import Foundation

/// Tokens of an hour that stand for a key of the control plane, as OAuth's client credentials give them out. Nothing is stored
/// of them: each says which key it stands for and until when, under a code that only this server's master key makes.
package struct AccessTokens: Sendable {
    /// Seconds for which one is good.
    package static let lifetime = 3_600

    private static let prefix = "eyot_at_"

    private let key: SymmetricKey

    init(key: SymmetricKey) { self.key = key }

    package func issue(for key: APIKey, at now: Instant) -> Secret {
        let claim = "\(key.id).\(now.second + Self.lifetime)"
        return Secret(Self.prefix + "\(claim).\(HexBytes.text(of: code(of: claim)))")
    }

    /// The key that a token stands for; nil where it is none of ours or too old.
    ///
    /// - Parameter text: what a caller sent.
    package func keyID(in text: String, at now: Instant) -> Int64? {
        let parts = text.dropFirst(Self.prefix.count).split(separator: ".", omittingEmptySubsequences: false)
        guard text.hasPrefix(Self.prefix), parts.count == 3, let id = Int64(parts[0]), let end = Int(parts[1]),
            let code = HexBytes.bytes(of: String(parts[2])), now.second < end,
            HMAC<SHA256>.isValidAuthenticationCode(
                code, authenticating: Data("\(parts[0]).\(parts[1])".utf8), using: key)
        else { return nil }
        return id
    }

    /// Whether a text claims to be one.
    package static func isOne(_ text: String) -> Bool { text.hasPrefix(prefix) }

    private func code(of claim: String) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: Data(claim.utf8), using: key))
    }
}

extension Sealer {
    /// Their key is derived from the newest master key, so a rotation ends those that are out.
    package var accessTokens: AccessTokens {
        AccessTokens(
            key: HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: newestBytes), info: Data("eyot/1|accessToken".utf8),
                outputByteCount: 32))
    }
}
