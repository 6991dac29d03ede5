import EyotDomain
import Synchronization

/// Whoever sleeps wakes at once, and it is that time.
package final class LeapingClock: WallClock {
    private let moment = Mutex(Instant(second: 1_700_000_000))
    private let held = Atomic(false)

    package init() {}

    package var now: Instant { moment.withLock(\.self) }

    /// Nobody wakes for as long as it is.
    package var isHeld: Bool {
        get { held.load(ordering: .relaxed) }
        set { held.store(newValue, ordering: .relaxed) }
    }

    package func nap(until later: Instant, atMost seconds: Double) async throws {
        repeat {
            try Task.checkCancellation()
            await Task.yield()
        } while isHeld
        moment.withLock { $0 = max($0, later) }
    }
}
