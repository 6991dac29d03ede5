/// The wall clock, with sleep by it. It is injected, so that tests and the lab can move it.
package protocol WallClock: Sendable {
    var now: Instant { get }

    /// Seconds that have really passed since a fixed moment, whatever ``now`` was set to.
    var uptime: Double { get }

    /// Returns when the clock reads this moment or later, or after `seconds` have really passed. A clock that is moved
    /// to the moment counts as well.
    ///
    /// - Throws: if the task is cancelled.
    func nap(until moment: Instant, atMost seconds: Double) async throws
}

extension WallClock {
    /// The uptime of a clock that is never set back.
    package var uptime: Double { now.seconds(since: Instant(second: 0)) }

    /// Waits for this many seconds. A clock that is set back meanwhile does not prolong the wait.
    package func pause(seconds: Double) async throws { try await nap(until: now + seconds, atMost: seconds) }
}
