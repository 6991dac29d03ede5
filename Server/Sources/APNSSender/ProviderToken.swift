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

    /// A token that another sender has signed.
    public init(text: String, issuedAt: Date) { (self.text, self.issuedAt) = (text, issuedAt) }

    private static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

extension ProviderToken: CustomStringConvertible {
    /// The time of issue, without the token.
    public var description: String { "provider token of \(RFC3339.text(of: issuedAt))" }
}

/// The one token of a key, which all its connections share, and other senders if they agree on it.
///
/// Apple refuses tokens older than an hour. It also refuses connections that change theirs more than once in 20
/// minutes. So a token is used for 50 minutes and never replaced within 20.
final class ProviderTokenCache: Sendable {
    /// Seconds for which a token is used. The ten minutes to Apple's limit allow for a wrong clock and for pages under
    /// way.
    static let useFor: TimeInterval = 50 * 60
    static let shortestInterval = TimeInterval(APNSLimits.providerTokenRefreshInterval)

    private struct State {
        var current: ProviderToken?
        /// The last token that Apple called expired.
        var rejected: String?
    }

    private let key: ProviderKey
    private let state = Mutex(State())

    init(key: ProviderKey) { self.key = key }

    /// Returns the token to use now.
    func token(at now: Date) throws -> ProviderToken {
        try state.withLock { state in
            if let token = state.current, token.isUsable(at: now) { return token }
            let token = try ProviderToken(key: key, now: now)
            state.current = token
            return token
        }
    }

    /// What a new token has to differ from; nil if the present one is usable.
    func need(at now: Date) -> ProviderTokenNeed? {
        state.withLock { state in
            if let token = state.current, token.isUsable(at: now) { return nil }
            return ProviderTokenNeed(rejected: state.rejected)
        }
    }

    /// Uses a token that senders have agreed on, unless there is a usable one.
    func use(_ token: ProviderToken, at now: Date) {
        state.withLock { state in
            if let present = state.current, present.isUsable(at: now) { return }
            state.current = token
        }
    }

    /// Forgets a token that Apple called expired. A token that is not the current one, or is younger than 20 minutes,
    /// stays. In that case one of the two clocks is wrong, and a new token would fail too.
    func forget(_ rejected: String, at now: Date) {
        state.withLock { state in
            guard let token = state.current, token.text == rejected,
                abs(now.timeIntervalSince(token.issuedAt)) >= Self.shortestInterval
            else { return }
            state = State(rejected: rejected)
        }
    }
}

/// A key's need of a token, for senders that agree on one.
public struct ProviderTokenNeed: Sendable, Equatable {
    /// The token that Apple called expired; nil if it called none so. Never for a log.
    public let rejected: String?
}

extension ProviderToken {
    /// Whether senders go on with the token. A token from the future means that the clock was set back. It is kept
    /// within 20 minutes; Apple allows an hour.
    public func isUsable(at now: Date) -> Bool {
        let age = now.timeIntervalSince(issuedAt)
        return age < ProviderTokenCache.useFor && age > -ProviderTokenCache.shortestInterval
    }
}
