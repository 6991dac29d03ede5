/// A browser that a member has signed in. The browser holds the secret, and the server its hash.
package struct MemberSession: Sendable, Hashable {
    /// How a member signed in.
    package enum Method: String, Sendable, Hashable, CaseIterable {
        case password
        case link
        /// The OpenID provider.
        case provider
        /// The header of an authenticating proxy. Each call must still carry it.
        case proxy
    }

    /// The most sessions of a member. The oldest ends beyond them.
    package static let limit = 20
    /// Seconds without a call after which a session ends.
    package static let idle = 12 * 3_600.0
    /// Seconds after which a session ends in any case.
    package static let longest = 7 * 86_400.0
    /// Seconds between two records of a session's use.
    package static let usePrecision = 60.0

    /// 0 until it is stored.
    package var id: Int64
    package var member: MemberID
    package var hash: SecretHash
    package var createdAt: Instant
    /// The last call, to within ``usePrecision``.
    package var usedAt: Instant
    /// When it ends if no call comes before. It is never later than ``longest`` after the start.
    package var endsAt: Instant
    package var method: Method
    /// The address of the sign-in; nil if it is unknown.
    package var address: String?
    /// The browser's name; nil if it said nothing of itself. See ``BrowserName``.
    package var browser: String?

    package init(member: MemberID, hash: SecretHash, by method: Method, at now: Instant) {
        id = 0
        self.member = member
        self.hash = hash
        self.method = method
        (createdAt, usedAt) = (now, now)
        endsAt = now + Self.idle
    }

    package func isRunning(at now: Instant) -> Bool { now < endsAt }

    /// The session after a call; nil if the call need not be recorded.
    package func used(at now: Instant) -> MemberSession? {
        guard now.seconds(since: usedAt) >= Self.usePrecision else { return nil }
        var session = self
        session.usedAt = now
        session.endsAt = min(now + Self.idle, createdAt + Self.longest)
        return session
    }
}
