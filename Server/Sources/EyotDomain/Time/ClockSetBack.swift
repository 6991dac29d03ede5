/// A set-back of the wall clock: its reading before, and right after. Moments between the two that are stored come from
/// a clock that was ahead.
package struct ClockSetBack: Sendable, Hashable {
    /// Seconds by which a clock may go back unnoticed. Machines that keep their time are corrected by less.
    package static let tolerance = 1.0

    /// The reading before, or the last known one.
    package var before: Instant
    package var after: Instant

    package init(before: Instant, after: Instant) {
        self.before = before
        self.after = after
    }

    /// Seconds by which it went back.
    package var seconds: Double { before.seconds(since: after) }

    /// Until when work may wait that was planned before: for pauses that had just begun, and for leases.
    package var reach: Instant { before + Double(NodeLease.duration) + Retry.longestPause }

    /// Seconds since a moment. A moment that lies ahead was recorded before the clock was set back. Its age is then the
    /// time since the set-back and the time from the moment to the reading before.
    package func age(of moment: Instant, at now: Instant) -> Double {
        guard moment > now else { return now.seconds(since: moment) }
        return max(0, now.seconds(since: after)) + max(0, before.seconds(since: moment))
    }
}

/// A comparison of the wall clock with seconds that really pass.
package struct ClockWatch: Sendable {
    private var last: (now: Instant, uptime: Double)?

    package init() {}

    /// Records a reading of the clock.
    ///
    /// - Parameter uptime: ``WallClock/uptime`` at the same moment.
    /// - Returns: the set-back since the last reading; nil if there was none.
    package mutating func read(_ now: Instant, uptime: Double) -> ClockSetBack? {
        defer { last = (now, uptime) }
        guard let last else { return nil }
        let expected = last.now + (uptime - last.uptime)
        guard expected.seconds(since: now) > ClockSetBack.tolerance else { return nil }
        return ClockSetBack(before: expected, after: now)
    }
}
