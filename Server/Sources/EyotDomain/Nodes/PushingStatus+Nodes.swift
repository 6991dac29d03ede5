extension PushingStatus {
    /// Why nothing is pushed for an activity, or for some activities of the store if it is nil; nil if all is pushed.
    ///
    /// Nodes on one store answer for each other: that this one pushes nothing is no cause while another one does.
    package func finding(for activity: ActivityID?, in ledger: any Ledger, at now: Instant) throws -> Finding? {
        guard allShards > 1 else { return finding }
        let leases = try ledger.nodeLeases()
        guard !leases.isEmpty else { return finding }
        let shard = activity.map { Sharding(count: allShards).shard(of: $0) }
        let silent = leases.filter { (shard == nil || $0.shard == shard) && $0.isSilent(at: now) }
        guard let lease = silent.first else { return nil }
        let what = shard == nil ? "\(silent.count) of \(allShards) shards" : "the activity's shard"
        guard let owner = lease.owner else {
            return Finding(
                .notPushing, "No node pushes for \(what).", .certain, ["Since \(lease.until.rfc3339)."])
        }
        let name = try ledger.nodes().first { $0.id == owner }?.name ?? "that is no longer known"
        return Finding(
            .notPushing,
            "The node \(name), which pushes for \(what), has been silent since \(lease.renewedAt.rfc3339). Another node "
                + "takes over from \(lease.until.rfc3339) on.", .likely,
            ["The node extends its lease every few seconds."])
    }
}

extension NodeLease {
    /// Whether its owner has not extended it for longer than a node that works takes.
    fileprivate func isSilent(at now: Instant) -> Bool {
        now.seconds(since: renewedAt) > Double(Self.duration) / 2 + Self.tolerance + 1
    }
}
