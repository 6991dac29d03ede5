import APNSWire
import EyotContract
import Foundation

/// Apple's memory of one connection: the provider tokens that it has carried.
///
/// A value without I/O. Verified tokens are kept, so that a signature is checked once for each token and connection.
struct APNSConnectionState: Sendable {
    /// The number of tokens that are remembered. A forgotten token that returns counts as new.
    static let tokenLimit = 16

    private var tokens: [(text: String, verified: VerifiedProviderToken)] = []
    /// The header that brought the newest of them.
    private var lastAuthorization: String?
    /// When the last token that counts as an update was first seen.
    private var lastUpdate: Date?
    /// Until when every request is answered TooManyProviderTokenUpdates.
    private var blockedUntil: Date?
    private var isWedged = false

    /// Whether a request with a valid provider token was made; from then on many streams are allowed.
    var hasShownValidToken: Bool { !tokens.isEmpty }

    /// The caller of a request, or the reason why its provider token does not do.
    mutating func admit(
        authorization: String?, _ check: ProviderTokenCheck
    ) throws(APNSRefusal) -> VerifiedProviderToken {
        let text: String
        if let authorization, authorization == lastAuthorization, let last = tokens.last {
            text = last.text
        } else {
            text = try ProviderTokenCheck.bearerToken(in: authorization)
        }
        // A staff answer in the forum: after too many updates the connection stays unusable until enough time passed.
        if let blockedUntil, check.now < blockedUntil { throw APNSRefusal(.tooManyProviderTokenUpdates) }
        if isWedged { throw APNSRefusal(.expiredProviderToken) }
        do {
            let verified = try verify(text, check)
            try check.checkAge(of: verified)
            if tokens.last?.text == text { lastAuthorization = authorization }
            return verified
        } catch {
            if error.reason == .expiredProviderToken { isWedged = check.rules.wedgesAfterExpiredToken }
            throw error
        }
    }

    private mutating func verify(_ text: String, _ check: ProviderTokenCheck) throws(APNSRefusal)
        -> VerifiedProviderToken
    {
        if let known = tokens.last(where: { $0.text == text }) { return known.verified }
        let verified = try check.verify(text)
        try check.checkAge(of: verified)
        if let first = tokens.first?.verified {
            // One team per connection: mixed teams were answered so (reported).
            guard verified.teamID == first.teamID else { throw APNSRefusal(.invalidProviderToken) }
            guard verified.keyID == first.keyID else { throw APNSRefusal(.unrelatedKeyIDInToken) }
            try countUpdate(at: check.now)
        } else if check.rules.countsFirstTokenAsUpdate {
            lastUpdate = check.now
        }
        if tokens.count == Self.tokenLimit { tokens.removeFirst() }
        tokens.append((text, verified))
        return verified
    }

    private mutating func countUpdate(at now: Date) throws(APNSRefusal) {
        let interval = Double(APNSLimits.providerTokenRefreshInterval)
        if let lastUpdate, now.timeIntervalSince(lastUpdate) < interval {
            blockedUntil = lastUpdate.addingTimeInterval(interval)
            throw APNSRefusal(.tooManyProviderTokenUpdates)
        }
        lastUpdate = now
    }
}
