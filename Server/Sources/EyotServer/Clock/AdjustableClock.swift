import EyotDomain
import Foundation
import Synchronization

/// The machine's wall clock, which a lab may move forward.
///
/// Sleeping tasks wake at least once a second of real time and read the clock again. So a change by a lab or an
/// administrator is noticed soon.
package final class AdjustableClock: WallClock {
    private static let longestStep = 1.0

    /// Microseconds by which the clock is ahead of the machine's; negative if it is behind.
    private let offset: Atomic<Int64>

    private let began = ContinuousClock.now

    /// - Parameter lead: How many seconds the clock is ahead of the machine's.
    package init(lead: Double = 0) { offset = Atomic(Int64(lead * 1_000_000)) }

    package var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let machine = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
        return Instant(microseconds: machine + offset.load(ordering: .relaxed))
    }

    /// Seconds of a clock that no administrator sets, and that also runs while the machine sleeps. A lab moves both
    /// clocks.
    package var uptime: Double {
        began.duration(to: .now) / .seconds(1) + Double(offset.load(ordering: .relaxed)) / 1_000_000
    }

    package func nap(until moment: Instant, atMost seconds: Double) async throws {
        var left = seconds
        while left > 0, case let rest = moment.seconds(since: now), rest > 0 {
            let step = min(rest, left, Self.longestStep)
            try await Task.sleep(for: .seconds(step))
            left -= step
        }
    }

    /// Moves the clock forward.
    package func advance(seconds: Double) {
        offset.add(Int64(seconds * 1_000_000), ordering: .relaxed)
    }
}
