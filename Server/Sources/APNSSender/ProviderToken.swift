import APNSWire
import Crypto
import EyotContract
import Foundation
import Synchronization

/// A provider token: the JSON Web Token that identifies the sender to Apple.
public struct ProviderToken: Sendable {
    /// The whole token, for the header `authorization`. Never for a log.
    public let text: String
    /// The second of issue in the token.
    public let issuedAt: Date

    /// Makes and signs a token of a key, issued in the second of `now`.
    ///
    /// The signature is the bare r and s of 32 bytes each, as RFC 7518 requires for ES256.
    /// - Throws: the error of the crypto library if it cannot sign.
    public init(key: ProviderKey, now: Date) throws {
        let second = Int(now.timeIntervalSince1970.rounded(.down))
        let header = JSONValue.object(JSONObject([("alg", "ES256"), ("kid", .string(key.keyID))]))
        let claims = JSONValue.object(JSONObject([("iss", .string(key.teamID)), ("iat", .integer(second))]))
        let signed = "\(Self.base64URL(header.utf8)).\(Self.base64URL(claims.utf8))"
        let signature = try key.privateKey.signature(for: Array(signed.utf8))
        text = "\(signed).\(Self.base64URL(signature.rawRepresentation))"
        issuedAt = Date(timeIntervalSince1970: Double(second))
    }

    private static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

extension ProviderToken: CustomStringConvertible {
    /// The time of issue, without the token.
    public var description: String { "provider token of \(RFC3339.text(of: issuedAt))" }
}

/// The one token of a key, which all its connections share.
///
/// Apple refuses tokens older than an hour. It also refuses connections that change theirs more than once in 20
/// minutes. So a token is used for 50 minutes and never replaced within 20.
final class ProviderTokenCache: Sendable {
    /// Seconds for which a token is used. The ten minutes to Apple's limit allow for a wrong clock and for pages under
    /// way.
    static let useFor: TimeInterval = 50 * 60
    static let shortestInterval = TimeInterval(APNSLimits.providerTokenRefreshInterval)

    private let key: ProviderKey
    private let current = Mutex<ProviderToken?>(nil)

    init(key: ProviderKey) { self.key = key }

    /// Returns the token to use now.
    func token(at now: Date) throws -> ProviderToken {
        try current.withLock { current in
            if let token = current, Self.isUsable(token, at: now) { return token }
            let token = try ProviderToken(key: key, now: now)
            current = token
            return token
        }
    }

    /// Forgets a token that Apple called expired. A token that is not the current one, or is younger than 20 minutes,
    /// stays. In that case one of the two clocks is wrong, and a new token would fail too.
    func forget(_ rejected: String, at now: Date) {
        current.withLock { current in
            guard let token = current, token.text == rejected,
                abs(now.timeIntervalSince(token.issuedAt)) >= Self.shortestInterval
            else { return }
            current = nil
        }
    }

    /// Whether a token is usable. A token from the future means that the clock was set back. It is kept within 20
    /// minutes; Apple allows an hour.
    private static func isUsable(_ token: ProviderToken, at now: Date) -> Bool {
        let age = now.timeIntervalSince(token.issuedAt)
        return age < useFor && age > -shortestInterval
    }
}
