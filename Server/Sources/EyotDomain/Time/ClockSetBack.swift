/// A wall clock that was set back: what it read before, and right after. What was noted until then for moments between
/// the two came from a clock that was ahead.
package struct ClockSetBack: Sendable, Hashable {
    /// Seconds that a clock may go back unnoticed: machines that keep their time are corrected by less.
    package static let tolerance = 1.0

    /// What it read before, or the last of that which is known.
    package var before: Instant
    package var after: Instant

    package init(before: Instant, after: Instant) {
        self.before = before
        self.after = after
    }

    /// Seconds by which it went back.
    package var seconds: Double { before.seconds(since: after) }

    /// Until when things may be due that were due before: pauses that had just begun, and leases.
    package var reach: Instant { before + Double(NodeLease.duration) + Retry.longestPause }

    /// For how many seconds a moment has gone by. One that lies ahead was noted before the clock was set back, so it
    /// has gone by for as long as the clock runs since, and what was left until then.
    package func age(of moment: Instant, at now: Instant) -> Double {
        guard moment > now else { return now.seconds(since: moment) }
        return max(0, now.seconds(since: after)) + max(0, before.seconds(since: moment))
    }
}

/// Compares a wall clock with seconds that really went by.
package struct ClockWatch: Sendable {
    private var last: (now: Instant, uptime: Double)?

    package init() {}

    /// Notes what the clock reads.
    ///
    /// - Parameter uptime: ``WallClock/uptime`` of the same moment.
    /// - Returns: how the clock was set back since the last reading; nil if it was not.
    package mutating func read(_ now: Instant, uptime: Double) -> ClockSetBack? {
        defer { last = (now, uptime) }
        guard let last else { return nil }
        let expected = last.now + (uptime - last.uptime)
        guard expected.seconds(since: now) > ClockSetBack.tolerance else { return nil }
        return ClockSetBack(before: expected, after: now)
    }
}
