import EyotContract
import EyotDomain
import Foundation
import JWTKit

/// The verification of identity tokens: JSON Web Tokens signed with RS256 or ES256. The key decides the algorithm, not
/// the token. So `none` is not possible, and no public key is used as a shared secret.
package struct JWTVerifier: IdentityVerifier {
    /// Seconds by which the signer's clock may differ from this server's.
    package static let skew = 60.0

    package init() {}

    package func kind(of text: String) -> IdentityKey.Kind? {
        guard text.utf8.count <= IdentityKey.textBytes else { return nil }
        // At least 2,048 bits: JWTKit refuses less.
        if (try? Insecure.RSA.PublicKey(pem: text)) != nil { return .rsa }
        return (try? ES256PublicKey(pem: text)) != nil ? .p256 : nil
    }

    package func finding(
        of proof: String?, for user: String, keys: [IdentityKey], on terms: ProofTerms, at now: Instant
    ) async -> IdentityFinding {
        guard let proof else { return .fails(.missingToken) }
        // A token that is too long does not get here, because `IdentitySignature` has a limit.
        let parts = proof.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), header["crit"] == nil,
            let signature = Self.bytes(parts[2])
        else { return .fails(.decodingError) }
        guard let kind = header["alg"]?.string.flatMap(IdentityKey.Kind.init) else {
            return .fails(.incorrectAlgorithm)
        }
        guard let claims = Self.object(parts[1]) else { return .fails(.invalidPayload) }
        guard !keys.isEmpty else { return .fails(.publicKeyError) }
        let fitting = keys.filter { $0.kind == kind }
        guard !fitting.isEmpty else { return .fails(.incorrectAlgorithm) }
        if let fault = Self.fault(of: claims, for: user, on: terms, at: now) { return .fails(fault) }
        let signed = Data(proof.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
        var unreadable = 0
        for key in fitting {
            guard let algorithm = await Self.algorithm(of: key) else {
                unreadable += 1
                continue
            }
            // An invalid signature throws.
            if (try? algorithm.verify(signature, signs: signed)) == true {
                return .holds(key: key.id, until: Instant(second: 0) + ((claims["exp"]?.double ?? 0) + Self.skew))
            }
        }
        return .fails(unreadable == fitting.count ? .publicKeyError : .noMatchingPublicKeys)
    }

    private static func fault(
        of claims: JSONObject, for user: String, on terms: ProofTerms, at now: Instant
    ) -> IdentityFault? {
        guard let subject = claims["sub"]?.string else { return .invalidPayload }
        guard subject == user else { return .subjectMismatch }
        let seconds = now.seconds(since: Instant(second: 0))
        guard let expiry = claims["exp"] else { return .expirationRequired }
        guard let end = expiry.double else { return .invalidPayload }
        guard seconds < end + skew else { return .expired }
        guard end <= seconds + Double(terms.longestSeconds) + skew, fits(claims, terms) else { return .invalidPayload }
        guard let beginning = claims["nbf"] else { return nil }
        return beginning.double.map { $0 <= seconds + skew } ?? false ? nil : .invalidPayload
    }

    /// Whether issuer and audience are those that the app requires.
    private static func fits(_ claims: JSONObject, _ terms: ProofTerms) -> Bool {
        if let issuer = terms.issuer, claims["iss"]?.string != issuer { return false }
        guard let audience = terms.audience else { return true }
        let named = claims["aud"]?.array ?? [claims["aud"] ?? .null]
        return named.contains { $0.string == audience }
    }

    private static func algorithm(of key: IdentityKey) async -> (any JWTAlgorithm)? {
        let keys = JWTKeyCollection()
        do {
            switch key.kind {
            case .rsa: await keys.add(rsa: try Insecure.RSA.PublicKey(pem: key.text), digestAlgorithm: .sha256)
            case .p256: await keys.add(ecdsa: try ES256PublicKey(pem: key.text))
            }
            return try await keys.getKey()
        } catch {
            // The key was read when it was stored. A key that can no longer be read counts as missing.
            return nil
        }
    }

    static func object(_ text: Substring) -> JSONObject? {
        guard let bytes = bytes(text), let value = try? JSONValue(parsing: Array(bytes)) else { return nil }
        return value.object
    }

    /// Decodes base64url without padding, or returns nil if the text has another form.
    static func bytes(_ text: Substring) -> Data? {
        guard !text.utf8.contains(where: { "+/=".utf8.contains($0) }) else { return nil }
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/") + padding)
    }
}
