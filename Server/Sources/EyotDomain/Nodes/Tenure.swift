/// Somebody else has the lease: nothing is written any more for this tenure.
package struct TenureLost: Error, Sendable, Hashable {
    package init() {}
}

/// The time for which one node has the lease. Whatever is written for pushing is written in transactions that ``hold(in:at:)``
/// it first, so that two nodes never do so at once.
package struct Tenure: Sendable, Hashable {
    package let shard: Int
    package let owner: NodeID
    package let epoch: Int

    /// Nil where the lease was given back.
    package init?(of lease: NodeLease) {
        guard let owner = lease.owner else { return nil }
        (shard, self.owner, epoch) = (lease.shard, owner, lease.epoch)
    }

    /// Begins a tenure, where no other node has the lease. One transaction.
    ///
    /// - Parameter abandoned: a lease that its owner has not extended for too long, see
    ///   ``NodeLease/entry(of:after:at:isAlone:isAbandoned:)``.
    package static func begin(
        by node: NodeID, in ledger: any Ledger, at now: Instant, isAlone: Bool, abandoned: NodeLease? = nil
    ) throws -> NodeLease.Entry {
        let former = try ledger.nodeLease(of: NodeLease.wholeStore)
        let entry = NodeLease.entry(
            of: node, after: former, at: now, isAlone: isAlone, isAbandoned: former != nil && former == abandoned)
        guard case .granted(let lease, _) = entry else { return entry }
        // Where another node came first, it has just begun.
        return try ledger.replace(former, by: lease) ? entry : .held(until: lease.until)
    }

    /// Makes sure that the lease is still this tenure's, and extends it where it is time to: the first thing in every transaction.
    ///
    /// - Throws: ``TenureLost``.
    package func hold(in ledger: any Ledger, at now: Instant) throws -> NodeLease {
        let lease = try held(in: ledger)
        guard let extended = lease.extended(at: now) else { return lease }
        guard try ledger.replace(lease, by: extended) else { throw TenureLost() }
        return extended
    }

    /// Gives the lease back, when everything that was under way has ended. One transaction.
    ///
    /// - Throws: ``TenureLost``.
    package func end(in ledger: any Ledger, at now: Instant) throws {
        let lease = try held(in: ledger)
        guard try ledger.replace(lease, by: lease.released(at: now)) else { throw TenureLost() }
    }

    private func held(in ledger: any Ledger) throws -> NodeLease {
        guard let lease = try ledger.nodeLease(of: shard), lease.epoch == epoch, lease.owner == owner else {
            throw TenureLost()
        }
        return lease
    }
}
