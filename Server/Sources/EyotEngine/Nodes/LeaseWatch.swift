import EyotDomain

/// How long this node has seen other nodes' leases unchanged. A running owner extends its lease before it ends,
/// whatever its clock reads. So a lease that stays unchanged for its whole duration is abandoned.
struct LeaseWatch {
    private var seen: [Int: (lease: NodeLease, since: Double)] = [:]

    /// - Returns: The leases that have not changed for longer than a lease lasts, by their shards.
    mutating func abandoned(_ leases: [NodeLease], uptime: Double) -> [Int: NodeLease] {
        for lease in leases where seen[lease.shard]?.lease != lease { seen[lease.shard] = (lease, uptime) }
        return seen.filter { uptime - $0.value.since > Double(NodeLease.duration) }.mapValues(\.lease)
    }
}
