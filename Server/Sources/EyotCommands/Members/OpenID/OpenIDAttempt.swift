import Crypto
import EyotDomain
import Foundation

/// One sign-in at the OpenID provider, from the redirect to the return. Everything follows from a secret that the
/// browser holds in a cookie for some minutes, so the server keeps nothing.
package struct OpenIDAttempt: Sendable {
    /// Seconds from the redirect to the return at most.
    package static let longest = 600

    /// For the cookie.
    package let secret: Secret

    /// Begins an attempt.
    package init() { secret = Secret(Keyring.random(32)) }

    /// Continues the attempt of a cookie; nil if the text is none.
    package init?(cookie: String) {
        guard cookie.utf8.count == 43, cookie.utf8.allSatisfy({ $0.isBase64URL }) else { return nil }
        secret = Secret(cookie)
    }

    /// Ties the return to this browser.
    package var state: String { derived("state") }
    /// Ties the ID token to this attempt.
    package var nonce: String { derived("nonce") }
    /// The proof for the token endpoint that the code was asked for here (RFC 7636).
    var verifier: String { derived("verifier") }
    /// What the provider sees of the proof at first.
    var challenge: String { Self.base64URL(SHA256.hash(data: Data(verifier.utf8))) }

    /// Whether the return belongs to the attempt. The comparison has no early end.
    package func accepts(state other: String?) -> Bool {
        guard let other, other.utf8.count == state.utf8.count else { return false }
        return zip(other.utf8, state.utf8).reduce(into: UInt8(0)) { $0 |= $1.0 ^ $1.1 } == 0
    }

    private func derived(_ use: String) -> String {
        Self.base64URL(
            HMAC<SHA256>.authenticationCode(
                for: Data("eyot oidc \(use)".utf8), using: SymmetricKey(data: Data(secret.text.utf8))))
    }

    private static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

extension UInt8 {
    fileprivate var isBase64URL: Bool {
        FieldRule.isLetterOrDigit(self) || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
    }
}
