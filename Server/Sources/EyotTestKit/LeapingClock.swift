import EyotDomain
import Synchronization

/// A clock that jumps: a sleep ends at once and moves the clock to its end.
package final class LeapingClock: WallClock {
    private let moment = Mutex(Instant(second: 1_700_000_000))
    private let held = Atomic(false)

    package init() {}

    package var now: Instant { moment.withLock(\.self) }

    /// Whether sleeps do not end for now.
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
