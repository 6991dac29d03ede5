/// The wall clock, and sleeping by it. Injected, so that tests and the lab can move it.
package protocol WallClock: Sendable {
    var now: Instant { get }

    /// Seconds that have really gone by since some moment, whatever ``now`` was set to.
    var uptime: Double { get }

    /// Returns when the clock reads this moment or later, also when it was moved there, or when so many seconds have really
    /// gone by, whatever the clock reads; throws where the task is cancelled.
    func nap(until moment: Instant, atMost seconds: Double) async throws
}

extension WallClock {
    /// That of a clock that is never set back.
    package var uptime: Double { now.seconds(since: Instant(second: 0)) }

    /// Seconds as they go by. A clock that is set back meanwhile makes them no longer.
    package func pause(seconds: Double) async throws { try await nap(until: now + seconds, atMost: seconds) }
}
