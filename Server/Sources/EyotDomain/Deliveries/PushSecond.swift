import APNSWire

/// The last second of pushes to a card or a channel, held against a clock that may have been set back (R7).
enum PushSecond {
    /// Seconds that a second may lie ahead of the clock without a clock that was wrong: a start leads its channel by
    /// these.
    static let usualLead = Int(Channel.startLead)

    /// The second that the next push has to follow. iOS drops a push that is dated more than eight hours ahead, so no
    /// card shows it: such a second is nothing to wait for, and no card waits longer than these hours.
    static func toFollow(_ second: Int, at now: Instant) -> Int {
        second > now.second + APNSLimits.timestampLead ? 0 : second
    }

    /// Until when a card waits for a second that a clock noted which was ahead; nil if it does not.
    static func wait(for second: Int, at now: Instant) -> Instant? {
        let followed = toFollow(second, at: now)
        return followed > now.second + usualLead ? Instant(second: followed + 1) : nil
    }
}

extension Replica {
    /// Notes that it may have been pushed in a second.
    package mutating func notePush(in second: Int, at now: Instant) {
        lastSecond = max(PushSecond.toFollow(lastSecond, at: now), second)
    }

    /// Until when it waits for a second that a clock noted which was ahead; nil if it does not.
    package func clockWait(at now: Instant) -> Instant? { PushSecond.wait(for: newestSecond, at: now) }
}

extension RingPage {
    /// The second that its next push has to follow.
    package func secondToFollow(at now: Instant) -> Int { PushSecond.toFollow(credit.lastSecond, at: now) }

    /// Until when it waits for a second that a clock noted which was ahead; nil if it does not.
    package func clockWait(at now: Instant) -> Instant? { PushSecond.wait(for: credit.lastSecond, at: now) }
}

extension RingMembers.Member {
    /// The second that its next push has to follow.
    package func secondToFollow(at now: Instant) -> Int { PushSecond.toFollow(lastSecond, at: now) }

    /// Until when it waits for a second that a clock noted which was ahead; nil if it does not.
    package func clockWait(at now: Instant) -> Instant? { PushSecond.wait(for: lastSecond, at: now) }
}

extension Channel {
    /// The same of its broadcasts.
    package func clockWait(at now: Instant) -> Instant? { PushSecond.wait(for: lastSecond, at: now) }
}
