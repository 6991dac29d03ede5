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
    package static func entry(of node: NodeID, after former: NodeLease?, at now: Instant, isAlone: Bool) -> Entry {
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
            // The dead pushed up to this second at most, unless the clock was set back since.
            beginsAt = now < former.renewedAt ? former.until : Instant(second: now.second + 1)
        } else {
            return .held(until: former.until)
        }
        lease.until = end(from: max(now, beginsAt))
        return .granted(lease, beginsAt: beginsAt)
    }

    /// The lease with more time, where less than half of its time is left; nil where there is no need. One that has run out and
    /// that nobody else has taken goes on.
    package func extended(at now: Instant) -> NodeLease? {
        guard until.seconds(since: now) < Double(Self.duration) / 2 else { return nil }
        var lease = self
        lease.renewedAt = max(renewedAt, now)
        lease.until = Self.end(from: now)
        return lease
    }

    /// The lease without an owner, who has nothing under way any more: the next one need not wait for the end.
    package func released(at now: Instant) -> NodeLease {
        var lease = self
        lease.owner = nil
        // Where the clock was set back nobody knows which seconds were used.
        if now >= renewedAt { lease.until = min(until, Instant(second: now.second + 1)) }
        return lease
    }

    private static func end(from now: Instant) -> Instant { Instant(second: now.second + duration) }
}
