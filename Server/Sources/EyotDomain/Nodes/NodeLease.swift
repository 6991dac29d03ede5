/// The id of one life of a server process. A process that starts again is another node.
package struct NodeID: Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
}

/// A lease that says which of the nodes on a store pushes what a shard has due, and until when.
///
/// Its moments come from the clock of the node that writes them, and no two clocks have to agree. All pushes of one
/// tenure carry seconds before ``until``, and all pushes of the next tenure carry seconds from then on (R7).
package struct NodeLease: Sendable, Hashable {
    /// Seconds for which a node has the lease after it was last extended.
    package static let duration = 12
    /// Seconds that a page may take. A page leaves with at least half of the lease's time left, and so has its answers
    /// before the end.
    package static let longestPage = duration / 2 - 1
    /// Seconds by which the clocks of a node and of the store may differ.
    package static let tolerance = 2.0
    /// The most seconds by which the end can be ahead of a right clock: a tenure that waits for the former lease, and
    /// then its own.
    package static let longestLead = Double(2 * duration)

    /// The number of the leased shard; see ``Sharding``.
    package let shard: Int
    /// The node that has it; nil if it was given back.
    package var owner: NodeID?
    /// Rises with each tenure.
    package var epoch: Int
    package var renewedAt: Instant
    /// The end of the lease, a whole second.
    package var until: Instant
    /// Starts that were due by this moment may have left without a record, because the store has forgotten what it knew
    /// last. Nil if that never happened.
    package var doubtsUntil: Instant?

    package init(
        shard: Int = 0, owner: NodeID?, epoch: Int, renewedAt: Instant, until: Instant, doubtsUntil: Instant? = nil
    ) {
        self.shard = shard
        self.owner = owner
        self.epoch = epoch
        self.renewedAt = renewedAt
        self.until = until
        self.doubtsUntil = doubtsUntil
    }

    /// The answer to a node that wants to push.
    package enum Entry: Sendable, Hashable {
        /// The lease, and the moment before which no push may leave.
        case granted(NodeLease, beginsAt: Instant)
        /// Another node has the lease, at least until this moment.
        case held(until: Instant)
    }

    /// Decides whether a node may begin a tenure.
    ///
    /// - Parameters:
    ///   - shard: the number of the shard.
    ///   - former: the lease as it is stored; nil if no node ever had it.
    ///   - isAlone: whether no other process is on the store, so that the former owner is dead.
    ///   - isAbandoned: whether the lease was not extended for longer than ``duration``, by seconds that really passed.
    package static func entry(
        of node: NodeID, to shard: Int = 0, after former: NodeLease?, at now: Instant, isAlone: Bool,
        isAbandoned: Bool = false
    ) -> Entry {
        guard let former else {
            return .granted(
                NodeLease(shard: shard, owner: node, epoch: 1, renewedAt: now, until: end(from: now)), beginsAt: now)
        }
        var lease = former
        (lease.owner, lease.epoch, lease.renewedAt) = (node, former.epoch + 1, now)
        let beginsAt: Instant
        if now >= former.until {
            beginsAt = now
        } else if isAlone {
            // A dead node pushed up to this second at most, unless the clock was set back since. A node that gave the
            // lease back had nothing under way, so each card carries its second.
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

    /// Extends the lease if less than half of its time is left; otherwise returns nil. A lease that has run out goes on
    /// if no other node has taken it.
    ///
    /// An end from a clock that was ahead is brought back. Pages that were taken before have a first second that has
    /// not come yet, so they do not leave.
    package func extended(at now: Instant) -> NodeLease? {
        let isAhead = isFromClockAhead(at: now)
        guard isAhead || until.seconds(since: now) < Double(Self.duration) / 2 else { return nil }
        var lease = self
        lease.renewedAt = isAhead ? now : max(renewedAt, now)
        lease.until = Self.end(from: now)
        return lease
    }

    /// Gives the lease back when its owner has nothing under way any more. The next node need not wait for the end. If
    /// the clock was set back, each card carries the second of its push.
    package func released(at now: Instant) -> NodeLease {
        var lease = self
        lease.owner = nil
        lease.until = min(until, Instant(second: now.second + 1))
        return lease
    }

    /// Ends the tenure because the store may have forgotten its last changes (R6, R7). Nodes may have pushed since
    /// then, up to the end of a lease that this one does not know.
    ///
    /// Only starts that are due by now are in doubt, whatever the nodes' clocks read. The clocks differ by less than a
    /// takeover lasts.
    ///
    /// - Parameter now: The time by the store's clock.
    package func interrupted(at now: Instant) -> NodeLease {
        var lease = self
        (lease.owner, lease.epoch, lease.doubtsUntil) = (nil, epoch + 1, now)
        lease.until = max(until, Self.end(from: now + Self.tolerance))
        return lease
    }

    /// Whether starts came in doubt since the tenure before.
    package func hasFreshDoubts(at now: Instant) -> Bool {
        doubtsUntil.map { now.seconds(since: $0) < Double(2 * Self.duration) } ?? false
    }

    /// Whether its end is further ahead than a right clock can have written it.
    package func isFromClockAhead(at now: Instant) -> Bool { until.seconds(since: now) > Self.longestLead }

    /// The set-back of the clock since the lease was last extended; nil if there was none.
    package func setBack(at now: Instant) -> ClockSetBack? {
        guard renewedAt.seconds(since: now) > ClockSetBack.tolerance else { return nil }
        return ClockSetBack(before: renewedAt, after: now)
    }

    /// When a tenure begins that is to wait for a moment. A wrong clock makes it wait no longer than a lease runs.
    package static func beginning(_ moment: Instant, at now: Instant) -> Instant { min(moment, end(from: now)) }

    private static func end(from now: Instant) -> Instant { Instant(second: now.second + duration) }
}

extension Ledger {
    /// Ends the tenures of all shards because the store may have forgotten its last changes, also of those that were
    /// first leased since then.
    ///
    /// - Parameter now: The time by the store's clock.
    package func interruptTenures(of sharding: Sharding, at now: Instant) throws {
        let leases = Dictionary(try nodeLeases().map { ($0.shard, $0) }, uniquingKeysWith: { first, _ in first })
        for shard in 0..<sharding.count {
            let lease = leases[shard] ?? NodeLease(shard: shard, owner: nil, epoch: 0, renewedAt: now, until: now)
            _ = try replace(leases[shard], by: lease.interrupted(at: now))
        }
    }
}
