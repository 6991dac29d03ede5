import APNSWire
import EyotDomain

/// Holds back what is due for an app while Apple answers nothing but that it is out of order. What was refused goes again after a
/// pause of its own (``Retry``), which a newer declaration ends at once: the breaker sees to it that those, and whoever has not been
/// tried yet, do not all go into the outage.
///
/// It is open for 1, 2, 4 and then 5 seconds; what leaves then, at most what an app may have in flight, is the trial. Nothing is
/// looked at and nothing is written meanwhile.
package struct CircuitBreaker: Sendable, Hashable {
    /// How many answers in a row it takes.
    package static let limit = 100

    private let limit: Int
    private var row = 0
    private var openings = 0
    /// Nothing is taken for the app before.
    private(set) var closesAt: Instant?

    init(limit: Int = Self.limit) { self.limit = limit }

    /// Nothing speaks against the app's pushes.
    var isQuiet: Bool { row == 0 && openings == 0 }

    /// Whether nothing is taken for the app. A moment that is further off than it is ever set was set by a clock that has been set back.
    func isOpen(at now: Instant) -> Bool {
        closesAt.map { now < $0 && $0 <= now + Retry.unreachablePause } ?? false
    }

    /// Takes Apple's answer to a push in. Where there was none, nothing is known.
    mutating func count(_ verdict: PushVerdict, at now: Instant) {
        guard verdict == .accepted || verdict.reason != nil else { return }
        guard verdict.reason?.isOutage == true else {
            self = CircuitBreaker(limit: limit)
            return
        }
        // What left before it opened says nothing new.
        if isOpen(at: now) { return }
        row += 1
        guard row >= limit else { return }
        row = 0
        openings += 1
        closesAt = now + min(Retry.pause(after: openings), Retry.unreachablePause)
    }
}

extension APNSReason {
    /// Apple's service is out of order. `Shutdown` is the word of one connection.
    fileprivate var isOutage: Bool { self == .internalServerError || self == .serviceUnavailable }
}
