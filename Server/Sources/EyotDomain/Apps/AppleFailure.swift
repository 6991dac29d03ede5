import APNSWire
import EyotContract

/// Why no push of an app gets through in an environment at present, although its key and its tokens may be in order:
/// Apple's service, the network, or the server's clock. What is due waits, and goes again by itself.
package struct AppleFailure: Sendable, Hashable {
    /// The reason in an event if there is none of Apple.
    static let unanswered = "unanswered"

    /// Apple's reason; nil if Apple could not be reached, or gave no answer.
    package var reason: APNSReason?
    /// The moment of the first failure.
    package var since: Instant
    /// The moment of the last failure that was noted.
    package var last: Instant

    package init(reason: APNSReason?, since: Instant, last: Instant) {
        (self.reason, self.since, self.last) = (reason, since, last)
    }

    /// Seconds between two notes of a failure that goes on.
    package static let interval = 60.0
    /// Seconds after the last note for which the failure is said. What is due is tried again within the longest pause,
    /// so later nothing waits.
    private static let validity = Retry.longestPause + 2 * interval

    /// Whether something still waits because of it.
    package func isPresent(at now: Instant) -> Bool { abs(now.seconds(since: last)) <= Self.validity }
}

extension APNSReason {
    /// Whether it says nothing of the push and its token: another push would have got the same answer.
    package var isOfAnyPush: Bool { action == .retryLater || action == .renewProviderToken }
}

extension App {
    /// Records that no push gets through in an environment, or that one did if the failure is nil.
    package mutating func note(_ failure: AppleFailure?, in environment: PushEnvironment) {
        guard var failure else {
            failures[environment] = nil
            return
        }
        // A cause that changes during one outage does not begin another.
        if let former = failures[environment], former.isPresent(at: failure.last) {
            failure.since = min(former.since, failure.since)
        }
        failures[environment] = failure
    }
}
