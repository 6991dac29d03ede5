/// An error that ends tenures because another node has their leases. Nothing more is written for them.
package struct TenureLost: Error, Sendable, Hashable {
    /// The shards of the tenures.
    package let shards: Set<Int>

    package init(_ shards: Set<Int> = []) { self.shards = shards }
}

/// The time for which one node has the lease of a shard. Each transaction that writes for pushing begins with
/// ``hold(_:in:at:)``, so that two nodes never push for a shard at once.
package struct Tenure: Sendable, Hashable {
    package let shard: Int
    package let owner: NodeID
    package let epoch: Int

    /// Nil if the lease was given back.
    package init?(of lease: NodeLease) {
        guard let owner = lease.owner else { return nil }
        (shard, self.owner, epoch) = (lease.shard, owner, lease.epoch)
    }

    /// Begins a tenure if no other node has the lease. Part of a transaction.
    ///
    /// - Parameter abandoned: a lease that its owner has not extended for too long; see
    ///   ``NodeLease/entry(of:to:after:at:isAlone:isAbandoned:)``.
    package static func begin(
        of shard: Int = 0, by node: NodeID, in ledger: any Ledger, at now: Instant, isAlone: Bool,
        abandoned: NodeLease? = nil
    ) throws -> NodeLease.Entry {
        let former = try ledger.nodeLease(of: shard)
        let entry = NodeLease.entry(
            of: node, to: shard, after: former, at: now, isAlone: isAlone,
            isAbandoned: former != nil && former == abandoned)
        guard case .granted(let lease, _) = entry else { return entry }
        // Another node came first, and its tenure has just begun.
        return try ledger.replace(former, by: lease) ? entry : .held(until: lease.until)
    }

    /// Checks that leases are still these tenures', and extends them if it is time. Each transaction does this first
    /// for the shards that it works on.
    ///
    /// - Parameter tenures: tenures of one node.
    /// - Throws: ``TenureLost`` with the shards that other nodes have.
    package static func hold(
        _ tenures: some Collection<Tenure>, of sharding: Sharding = .whole, in ledger: any Ledger, at now: Instant
    ) throws -> HeldLeases {
        var held = HeldLeases(of: sharding)
        var lost: Set<Int> = []
        let leases = try leases(of: tenures, in: ledger)
        for tenure in tenures {
            guard let lease = leases[tenure.shard], lease.epoch == tenure.epoch, lease.owner == tenure.owner else {
                lost.insert(tenure.shard)
                continue
            }
            let extended = lease.extended(at: now)
            if let extended, try !ledger.replace(lease, by: extended) {
                lost.insert(tenure.shard)
            } else {
                held.ends[tenure.shard] = (extended ?? lease).until
                held.doubts[tenure.shard] = lease.doubtsUntil
            }
        }
        guard lost.isEmpty else { throw TenureLost(lost) }
        return held
    }

    /// Gives the lease back, when nothing is under way any more. Part of a transaction.
    ///
    /// - Throws: ``TenureLost``.
    package func end(in ledger: any Ledger, at now: Instant) throws {
        guard let lease = try ledger.nodeLease(of: shard), lease.epoch == epoch, lease.owner == owner,
            try ledger.replace(lease, by: lease.released(at: now))
        else { throw TenureLost([shard]) }
    }

    private static func leases(
        of tenures: some Collection<Tenure>, in ledger: any Ledger
    ) throws -> [Int: NodeLease] {
        guard let first = tenures.first else { return [:] }
        let leases =
            tenures.count == 1
            ? [try ledger.nodeLease(of: first.shard)].compactMap(\.self) : try ledger.nodeLeases(of: first.owner)
        return Dictionary(leases.map { ($0.shard, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

/// The leases that a transaction holds.
package struct HeldLeases: Sendable, Hashable {
    /// For a ledger that no other node uses: pushes may leave at any time.
    package static let unbounded = HeldLeases(of: .whole, isBounded: false)

    package let sharding: Sharding
    /// The end of each held lease, by the number of its shard.
    package var ends: [Int: Instant] = [:]
    /// ``NodeLease/doubtsUntil`` of the held shards that have it.
    fileprivate(set) var doubts: [Int: Instant] = [:]
    private let isBounded: Bool

    package init(of sharding: Sharding) { self.init(of: sharding, isBounded: true) }

    private init(of sharding: Sharding, isBounded: Bool) { (self.sharding, self.isBounded) = (sharding, isBounded) }

    /// The activities of the held shards.
    package var activities: Shards { isBounded ? sharding.activities(of: Set(ends.keys)) : .all }

    /// The moment before which pushes of a shard must leave; nil for no limit. Nothing may leave for a shard that is
    /// not held.
    package func end(of shard: Int) -> Instant? { isBounded ? ends[shard] ?? Instant(second: 0) : nil }

    /// Until when starts of an activity may have left without a record; see ``NodeLease/doubtsUntil``.
    package func doubts(of id: ActivityID) -> Instant? { doubts[sharding.shard(of: id)] }
}
