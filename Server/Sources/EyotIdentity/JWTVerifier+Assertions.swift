import EyotContract
import EyotDomain
import Foundation
import JWTKit

/// The verification of clients' assertions, which are signed with ES384 only.
extension JWTVerifier: ClientAssertionVerifier {
    private static let algorithm = "ES384"

    package func isClientKey(_ text: String) -> Bool {
        text.utf8.count <= IdentityKey.textBytes && (try? ES384PublicKey(pem: text)) != nil
    }

    package func assertion(_ text: String) -> ClientAssertion? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), header["crit"] == nil,
            header["alg"]?.string == Self.algorithm, let claims = Self.object(parts[1]),
            let issuer = claims["iss"]?.string, let expiresAt = claims["exp"]?.double
        else { return nil }
        return ClientAssertion(
            issuer: issuer, subject: claims["sub"]?.string,
            audience: claims["aud"]?.string ?? claims["aud"]?.array?.first?.string, expiresAt: expiresAt,
            issuedAt: claims["iat"]?.double, isForAddresses: claims["ipaddr"].map { $0 != .null } ?? false)
    }

    package func isSigned(_ assertion: String, by key: String) async -> Bool {
        let parts = assertion.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = Self.bytes(parts[2]), let publicKey = try? ES384PublicKey(pem: key)
        else { return false }
        let keys = JWTKeyCollection()
        await keys.add(ecdsa: publicKey)
        let signed = Data(assertion.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
        guard let algorithm = try? await keys.getKey() else { return false }
        // An invalid signature throws.
        return (try? algorithm.verify(signature, signs: signed)) == true
    }
}
