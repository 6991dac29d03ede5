import APNSWire
import Crypto
import EyotContract
import Foundation

/// A provider token (a JSON Web Token) that passed the checks, with its team and its time of issue.
struct VerifiedProviderToken: Sendable, Equatable {
    let teamID: String
    let keyID: String
    /// UNIX seconds, as the token says.
    let issuedAt: Double
}

/// Reads a provider token and checks it against the registered keys. It knows nothing of connections.
struct ProviderTokenCheck {
    let teams: APNSTeams
    let rules: APNSRules
    let environment: PushEnvironment
    let now: Date

    /// Longer tokens are refused unread. Real ones have some 200 bytes.
    private static let maximumLength = 2_048

    /// The token after `bearer`. HTTP allows the scheme's name in any case.
    ///
    /// A guess: an authorization that is no bearer token counts as missing.
    static func bearerToken(in authorization: String?) throws(APNSRefusal) -> String {
        guard let authorization else { throw APNSRefusal(.missingProviderToken) }
        let space = UInt8(ascii: " ")
        guard let end = authorization.utf8.firstIndex(of: space), authorization[..<end].lowercased() == "bearer"
        else { throw APNSRefusal(.missingProviderToken) }
        let token = authorization[end...].drop { $0 == " " }
        guard !token.isEmpty, !token.utf8.contains(space) else { throw APNSRefusal(.missingProviderToken) }
        return String(token)
    }

    /// Checks form, key, signature and environment. ``checkAge(of:)`` checks the time of issue each time the token is
    /// used.
    func verify(_ token: String) throws(APNSRefusal) -> VerifiedProviderToken {
        guard token.utf8.count <= Self.maximumLength else { throw APNSRefusal(.invalidProviderToken) }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]),
            let signature = Base64URL.bytes(of: parts[2]),
            header["alg"]?.string == "ES256", let keyID = header["kid"]?.string, let teamID = claims["iss"]?.string,
            let issuedAt = issueTime(claims["iat"]), let key = teams.key(keyID, of: teamID)
        else { throw APNSRefusal(.invalidProviderToken) }
        let signed = Array("\(parts[0]).\(parts[1])".utf8)
        guard isSignature(signature, of: signed, by: key.publicKey) else {
            throw APNSRefusal(.invalidProviderToken)
        }
        guard key.environments.contains(environment) else { throw APNSRefusal(.badEnvironmentKeyIDInToken) }
        return VerifiedProviderToken(teamID: teamID, keyID: keyID, issuedAt: issuedAt)
    }

    /// Refuses a token that is older than an hour as expired, and one from more than an hour ahead as invalid. Apple
    /// requires `iat` to lie within an hour but names no reason; this one is a guess.
    func checkAge(of token: VerifiedProviderToken) throws(APNSRefusal) {
        let age = now.timeIntervalSince1970 - token.issuedAt
        let lifetime = Double(APNSLimits.providerTokenLifetime)
        if age > lifetime { throw APNSRefusal(.expiredProviderToken) }
        if age < -lifetime { throw APNSRefusal(.invalidProviderToken) }
    }

    /// A later issue time is one in milliseconds; it lies in the year 5138.
    private static let latestSecond = 1e11

    private func issueTime(_ value: JSONValue?) -> Double? {
        if let number = value?.double { return number }
        guard rules.acceptsTextIssueTime, let text = value?.string, let number = Double(text), number.isFinite
        else { return nil }
        return number > Self.latestSecond ? number / 1_000 : number
    }

    private static func object(_ part: Substring) -> JSONObject? {
        guard let bytes = Base64URL.bytes(of: part) else { return nil }
        return (try? JSONValue(parsing: bytes, depthLimit: 8))?.object
    }

    /// A JSON Web Signature is the bare 64 bytes of r and s.
    private func isSignature(_ bytes: [UInt8], of signed: [UInt8], by key: P256.Signing.PublicKey) -> Bool {
        if bytes.count == 64, let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes),
            key.isValidSignature(signature, for: signed)
        {
            return true
        }
        guard rules.acceptsDERSignature,
            let signature = try? P256.Signing.ECDSASignature(derRepresentation: bytes)
        else { return false }
        return key.isValidSignature(signature, for: signed)
    }
}

/// Base64 with the alphabet for URLs (RFC 4648, section 5).
enum Base64URL {
    /// The bytes of a text with or without padding; nil if it is not base64 of this alphabet.
    static func bytes(of text: Substring) -> [UInt8]? {
        guard !text.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "/") }) else { return nil }
        var standard = text.replacing("-", with: "+").replacing("_", with: "/")
        while standard.last == "=" { standard.removeLast() }
        standard += String(repeating: "=", count: (4 - standard.utf8.count % 4) % 4)
        return Data(base64Encoded: String(standard)).map(Array.init)
    }
}
