import APNSWire
import EyotDomain

/// A breaker that holds back an app's pushes while Apple reports only an outage.
///
/// A refused push goes again after a pause of its own (``Retry``), which a newer declaration ends at once. Without the
/// breaker, all of those pushes and all that were not tried yet would go into the outage.
///
/// The breaker is open for 1, 2, 4 and then 5 seconds. The pushes that leave then are the trial, at most as many as an
/// app may have in flight. While it is open, nothing is looked at and nothing is written.
package struct CircuitBreaker: Sendable, Hashable {
    /// How many answers of an outage in a row open the breaker.
    package static let limit = 100

    private let limit: Int
    private var row = 0
    private var openings = 0
    /// The moment before which nothing is taken for the app.
    private(set) var closesAt: Instant?

    init(limit: Int = Self.limit) { self.limit = limit }

    /// Whether nothing speaks against the app's pushes.
    var isQuiet: Bool { row == 0 && openings == 0 }

    /// Whether nothing is taken for the app. A moment further off than a pause lasts comes from a clock that was set
    /// back since, and does not count.
    func isOpen(at now: Instant) -> Bool {
        closesAt.map { now < $0 && $0 <= now + Retry.unreachablePause } ?? false
    }

    /// Counts Apple's answer to a push. A push without an answer counts for nothing.
    mutating func count(_ verdict: PushVerdict, at now: Instant) {
        guard verdict == .accepted || verdict.reason != nil else { return }
        guard verdict.reason?.isOutage == true else {
            self = CircuitBreaker(limit: limit)
            return
        }
        // A push that left before the breaker opened says nothing new.
        if isOpen(at: now) { return }
        row += 1
        guard row >= limit else { return }
        row = 0
        openings += 1
        closesAt = now + min(Retry.pause(after: openings), Retry.unreachablePause)
    }
}

extension APNSReason {
    /// Whether Apple's service reports an outage. `Shutdown` concerns only one connection.
    fileprivate var isOutage: Bool { self == .internalServerError || self == .serviceUnavailable }
}
