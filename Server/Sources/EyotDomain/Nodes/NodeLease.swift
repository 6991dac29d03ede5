/// One life of a process that serves: one that starts again is another node.
package struct NodeID: Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
}

/// Which of the nodes on a store pushes, and until when. Moments are read from the clock of whoever writes them, and nobody
/// relies on two clocks agreeing: what counts is that all pushes of one tenure have seconds before ``until``, and all of the
/// next one seconds from then on (R7).
package struct NodeLease: Sendable, Hashable {
    /// Seconds for which a node has it, from when it was last extended. Half of them are longer than a page takes.
    package static let duration = 20
    /// Seconds that the end lies ahead of a right clock, at most: of a tenure that waits for a former lease, and then
    /// its own.
    package static let longestLead = Double(2 * duration)
    /// There is one for all work so far.
    package static let wholeStore = 0

    /// What it is a lease of.
    package let shard: Int
    /// Nil where it was given back.
    package var owner: NodeID?
    /// Counts up with each tenure.
    package var epoch: Int
    package var renewedAt: Instant
    /// The end, a whole second.
    package var until: Instant

    package init(shard: Int = wholeStore, owner: NodeID?, epoch: Int, renewedAt: Instant, until: Instant) {
        self.shard = shard
        self.owner = owner
        self.epoch = epoch
        self.renewedAt = renewedAt
        self.until = until
    }

    /// What a node gets that wants to push.
    package enum Entry: Sendable, Hashable {
        /// The lease, and the moment before which nothing may leave.
        case granted(NodeLease, beginsAt: Instant)
        /// Another node has it, until this moment at least.
        case held(until: Instant)
    }

    /// Decides whether a node may begin a tenure.
    ///
    /// - Parameters:
    ///   - former: the lease as it stands; nil where nobody ever had it.
    ///   - isAlone: no other process is on the store, so whoever had the lease is dead.
    ///   - isAbandoned: the lease was not extended for longer than ``duration``, by seconds that really went by.
    package static func entry(
        of node: NodeID, after former: NodeLease?, at now: Instant, isAlone: Bool, isAbandoned: Bool = false
    ) -> Entry {
        guard let former else {
            return .granted(
                NodeLease(owner: node, epoch: 1, renewedAt: now, until: end(from: now)), beginsAt: now)
        }
        var lease = former
        (lease.owner, lease.epoch, lease.renewedAt) = (node, former.epoch + 1, now)
        let beginsAt: Instant
        if now >= former.until {
            beginsAt = now
        } else if isAlone {
            // The dead pushed up to this second at most, unless the clock was set back since. One that gave the lease
            // back had nothing under way, so each card carries its second.
            let isKnown = former.owner == nil || now >= former.renewedAt
            beginsAt = isKnown ? Instant(second: now.second + 1) : beginning(former.until, at: now)
        } else if former.owner == nil || isAbandoned, former.isFromClockAhead(at: now) {
            beginsAt = Instant(second: now.second + 1)
        } else {
            return .held(until: former.until)
        }
        lease.until = end(from: max(now, beginsAt))
        return .granted(lease, beginsAt: beginsAt)
    }

    /// The lease with more time, where less than half of its time is left; nil where there is no need. One that has run
    /// out and that nobody else has taken goes on. An end from a clock that was ahead is brought back: pages that were
    /// taken before carry a first second that has not come either, so they do not leave.
    package func extended(at now: Instant) -> NodeLease? {
        let isAhead = isFromClockAhead(at: now)
        guard isAhead || until.seconds(since: now) < Double(Self.duration) / 2 else { return nil }
        var lease = self
        lease.renewedAt = isAhead ? now : max(renewedAt, now)
        lease.until = Self.end(from: now)
        return lease
    }

    /// The lease without an owner, who has nothing under way any more: the next one need not wait for the end. If the
    /// clock was set back, each card carries the second that it was pushed with.
    package func released(at now: Instant) -> NodeLease {
        var lease = self
        lease.owner = nil
        lease.until = min(until, Instant(second: now.second + 1))
        return lease
    }

    /// Whether its end lies farther ahead than a right clock can have written it.
    package func isFromClockAhead(at now: Instant) -> Bool { until.seconds(since: now) > Self.longestLead }

    /// How the clock was set back since the lease was last extended; nil if it was not.
    package func setBack(at now: Instant) -> ClockSetBack? {
        guard renewedAt.seconds(since: now) > ClockSetBack.tolerance else { return nil }
        return ClockSetBack(before: renewedAt, after: now)
    }

    /// When a tenure begins that was to wait until a moment: a clock that was wrong makes it wait no longer than a
    /// lease runs.
    package static func beginning(_ moment: Instant, at now: Instant) -> Instant { min(moment, end(from: now)) }

    private static func end(from now: Instant) -> Instant { Instant(second: now.second + duration) }
}
