import EyotContract
import EyotDomain
import Foundation
import JWTKit

/// The verification of OpenID providers' ID tokens, which are signed with RS256 or ES256. The key must be of the kind
/// that the algorithm has, so `none` and a public key as a shared secret are not possible.
extension JWTVerifier: IDTokenVerifier {
    /// The most bytes of a token.
    private static let tokenBytes = 16_384

    package func claims(
        of token: String, keys: [JSONValue], on terms: IDTokenTerms, at now: Instant
    ) async throws(IDTokenFault) -> JSONObject {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard token.utf8.count <= Self.tokenBytes, parts.count == 3, let header = Self.object(parts[0]),
            header["crit"] == nil, let claims = Self.object(parts[1]), let signature = Self.bytes(parts[2])
        else { throw .malformed }
        guard let kind = header["alg"]?.string.flatMap(IdentityKey.Kind.init) else { throw .algorithm }
        let key = try Self.key(header["kid"]?.string, kind, in: keys)
        let signed = Data(token.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count))
        guard let algorithm = await Self.algorithm(kind, key) else { throw .unknownKey }
        // An invalid signature throws.
        guard (try? algorithm.verify(signature, signs: signed)) == true else { throw .signature }
        try Self.check(claims, terms, now)
        return claims
    }

    /// The key that a token names. Without a name the set must have one key of the kind.
    private static func key(
        _ id: String?, _ kind: IdentityKey.Kind, in keys: [JSONValue]
    ) throws(IDTokenFault) -> JSONObject {
        let type = kind == .rsa ? "RSA" : "EC"
        let fitting = keys.compactMap(\.object).filter { key in
            key["kty"]?.string == type && (key["use"]?.string ?? "sig") == "sig"
                && (id == nil || key["kid"]?.string == id)
        }
        guard let key = fitting.first, id != nil || fitting.count == 1 else { throw .unknownKey }
        return key
    }

    private static func algorithm(_ kind: IdentityKey.Kind, _ key: JSONObject) async -> (any JWTAlgorithm)? {
        let keys = JWTKeyCollection()
        do {
            switch kind {
            case .rsa:
                guard let modulus = key["n"]?.string, let exponent = key["e"]?.string else { return nil }
                let key = try Insecure.RSA.PublicKey(modulus: modulus, exponent: exponent)
                await keys.add(rsa: key, digestAlgorithm: .sha256)
            case .p256:
                guard key["crv"]?.string == "P-256", let x = key["x"]?.string, let y = key["y"]?.string else {
                    return nil
                }
                await keys.add(ecdsa: try ES256PublicKey(parameters: (x: x, y: y)))
            }
            return try await keys.getKey()
        } catch {
            // A key that cannot be read counts as missing.
            return nil
        }
    }

    private static func check(_ claims: JSONObject, _ terms: IDTokenTerms, _ now: Instant) throws(IDTokenFault) {
        guard claims["iss"]?.string == terms.issuer else { throw .issuer }
        let audience = claims["aud"]?.array ?? [claims["aud"] ?? .null]
        guard audience.contains(where: { $0.string == terms.clientID }) else { throw .audience }
        // A token for several clients must have been issued to this one.
        let party = claims["azp"]?.string
        guard party == terms.clientID || party == nil && audience.count == 1 else { throw .audience }
        let seconds = now.seconds(since: Instant(second: 0))
        guard let expiry = claims["exp"]?.double, seconds < expiry + skew else { throw .expired }
        // It need not be there. What is there must hold.
        if let start = claims["nbf"] {
            guard let start = start.double, start <= seconds + skew else { throw .notBefore }
        }
        guard let issued = claims["iat"]?.double, issued <= seconds + skew else { throw .issuedAt }
        guard claims["nonce"]?.string == terms.nonce else { throw .nonce }
        guard claims["sub"]?.string != nil else { throw .subject }
    }
}
