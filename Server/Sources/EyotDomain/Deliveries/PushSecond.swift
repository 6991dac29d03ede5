import APNSWire

/// The last second of pushes to a card or a channel, compared with a clock that may have been set back (R7).
enum PushSecond {
    /// Seconds by which a push may be ahead of a right clock: a start leads its channel by these.
    static let usualLead = Int(Channel.startLead)

    /// The second that the next push has to follow. A second that is more than eight hours ahead counts as 0, because
    /// iOS drops such a push and no card shows it. No card waits longer than these hours.
    static func toFollow(_ second: Int, at now: Instant) -> Int {
        second > now.second + APNSLimits.timestampLead ? 0 : second
    }

    /// Until when a card waits because its last second comes from a clock that was ahead; nil if it does not wait.
    static func wait(for second: Int, at now: Instant) -> Instant? {
        let followed = toFollow(second, at: now)
        return followed > now.second + usualLead ? Instant(second: followed + 1) : nil
    }
}

extension Replica {
    /// Records that it may have been pushed in a second.
    package mutating func notePush(in second: Int, at now: Instant) {
        lastSecond = max(PushSecond.toFollow(lastSecond, at: now), second)
    }

    /// Until when it waits because its last second comes from a clock that was ahead; nil if it does not wait.
    package func clockWait(at now: Instant) -> Instant? { PushSecond.wait(for: newestSecond, at: now) }
}

extension RingPage {
    /// The second that its next push has to follow.
    package func secondToFollow(at now: Instant) -> Int { PushSecond.toFollow(credit.lastSecond, at: now) }

    /// Until when it waits because its last second comes from a clock that was ahead; nil if it does not wait.
    package func clockWait(at now: Instant) -> Instant? { PushSecond.wait(for: credit.lastSecond, at: now) }
}

extension RingMembers.Member {
    /// The second that its next push has to follow.
    package func secondToFollow(at now: Instant) -> Int { PushSecond.toFollow(lastSecond, at: now) }

    /// Until when it waits because its last second comes from a clock that was ahead; nil if it does not wait.
    package func clockWait(at now: Instant) -> Instant? { PushSecond.wait(for: lastSecond, at: now) }
}

extension Channel {
    /// Until when its broadcasts wait because its last second comes from a clock that was ahead; nil if they do not
    /// wait.
    package func clockWait(at now: Instant) -> Instant? { PushSecond.wait(for: lastSecond, at: now) }
}
