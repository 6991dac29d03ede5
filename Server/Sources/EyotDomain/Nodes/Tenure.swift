/// An error that ends a tenure because another node has the lease. Nothing more is written for it.
package struct TenureLost: Error, Sendable, Hashable {
    package init() {}
}

/// The time for which one node has the lease. Each transaction that writes for pushing begins with ``hold(in:at:)``, so
/// that two nodes never push at once.
package struct Tenure: Sendable, Hashable {
    package let shard: Int
    package let owner: NodeID
    package let epoch: Int

    /// Nil if the lease was given back.
    package init?(of lease: NodeLease) {
        guard let owner = lease.owner else { return nil }
        (shard, self.owner, epoch) = (lease.shard, owner, lease.epoch)
    }

    /// Begins a tenure if no other node has the lease. One transaction.
    ///
    /// - Parameter abandoned: a lease that its owner has not extended for too long; see
    ///   ``NodeLease/entry(of:after:at:isAlone:isAbandoned:)``.
    package static func begin(
        by node: NodeID, in ledger: any Ledger, at now: Instant, isAlone: Bool, abandoned: NodeLease? = nil
    ) throws -> NodeLease.Entry {
        let former = try ledger.nodeLease(of: NodeLease.wholeStore)
        let entry = NodeLease.entry(
            of: node, after: former, at: now, isAlone: isAlone, isAbandoned: former != nil && former == abandoned)
        guard case .granted(let lease, _) = entry else { return entry }
        // Another node came first, and its tenure has just begun.
        return try ledger.replace(former, by: lease) ? entry : .held(until: lease.until)
    }

    /// Checks that the lease is still this tenure's, and extends it if it is time. Each transaction does this first.
    ///
    /// - Throws: ``TenureLost``.
    package func hold(in ledger: any Ledger, at now: Instant) throws -> NodeLease {
        let lease = try held(in: ledger)
        guard let extended = lease.extended(at: now) else { return lease }
        guard try ledger.replace(lease, by: extended) else { throw TenureLost() }
        return extended
    }

    /// Gives the lease back, when nothing is under way any more. One transaction.
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
