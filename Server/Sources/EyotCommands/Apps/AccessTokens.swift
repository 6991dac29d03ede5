import Crypto
import EyotContract
import EyotDomain
import Foundation

/// Tokens that stand for a key of the control plane for an hour, as in OAuth's client credentials. They are not stored.
/// A token contains its key and its end, with a code that only this server's master key makes.
package struct AccessTokens: Sendable {
    /// Seconds for which a token is good.
    package static let lifetime = 3_600

    private static let prefix = "eyot_at_"

    private let key: SymmetricKey

    init(key: SymmetricKey) { self.key = key }

    package func issue(for key: APIKey, at now: Instant) -> Secret {
        let claim = "\(key.id).\(now.second + Self.lifetime)"
        return Secret(Self.prefix + "\(claim).\(HexBytes.text(of: code(of: claim)))")
    }

    /// The key that a token stands for. Nil if the token is foreign or too old.
    ///
    /// - Parameter text: The text that a caller sent.
    package func keyID(in text: String, at now: Instant) -> Int64? {
        let parts = text.dropFirst(Self.prefix.count).split(separator: ".", omittingEmptySubsequences: false)
        guard text.hasPrefix(Self.prefix), parts.count == 3, let id = Int64(parts[0]), let end = Int(parts[1]),
            let code = HexBytes.bytes(of: String(parts[2])), now.second < end,
            HMAC<SHA256>.isValidAuthenticationCode(
                code, authenticating: Data("\(parts[0]).\(parts[1])".utf8), using: key)
        else { return nil }
        return id
    }

    /// Whether a text has the form of a token.
    package static func isAccessToken(_ text: String) -> Bool { text.hasPrefix(prefix) }

    private func code(of claim: String) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: Data(claim.utf8), using: key))
    }
}

extension Sealer {
    /// The access tokens of this server. Their key is derived from the newest master key, so a rotation invalidates the
    /// tokens in use.
    package var accessTokens: AccessTokens {
        AccessTokens(
            key: HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: newestBytes), info: Data("eyot/1|accessToken".utf8),
                outputByteCount: 32))
    }
}
