import EyotDomain

/// The nodes that live, as this node sees it, and the share of the shards that each of them takes.
///
/// A node lives while its beats rise. That is measured by this node's own seconds, so no clocks are compared. It only
/// decides how many shards a node wants; the leases decide which node pushes.
struct Membership {
    /// Seconds between two beats.
    static let beat = Double(NodeLease.duration) / 4
    /// Seconds without a beat after which a node counts as gone. Its leases end a little later.
    private static let patience = Double(NodeLease.duration) * 2 / 3
    /// Seconds without a beat after which the record of a node is removed.
    private static let memory = 600.0

    private var seen: [NodeID: (beats: Int, since: Double)] = [:]

    /// Notes what the store says of the nodes.
    ///
    /// - Returns: The nodes that live, and the records to remove.
    mutating func note(
        _ nodes: [NodeRecord], uptime: Double
    ) -> (living: [NodeRecord], forgotten: [NodeID]) {
        for node in nodes where seen[node.id]?.beats != node.beats { seen[node.id] = (node.beats, uptime) }
        let known = Set(nodes.map(\.id))
        seen = seen.filter { known.contains($0.key) }
        func silence(_ node: NodeRecord) -> Double { seen[node.id].map { uptime - $0.since } ?? 0 }
        return (
            nodes.filter { silence($0) <= Self.patience },
            nodes.filter { silence($0) > Self.memory }.map(\.id)
        )
    }

    /// The shards that a node may take at most, and the order in which it takes free ones. All nodes together take each
    /// shard once. Nodes begin at different shards, so they rarely want the same one.
    ///
    /// - Parameter nodes: the nodes that live. Those that are drained or have a wrong clock take none, and older ones
    ///   come first.
    static func share(of id: NodeID, among nodes: [NodeRecord], in sharding: Sharding) -> (count: Int, order: [Int]) {
        let pushing = nodes.filter(\.takesShare)
            .sorted { ($0.startedAt, $0.id.rawValue) < ($1.startedAt, $1.id.rawValue) }
        guard let place = pushing.firstIndex(where: { $0.id == id }) else { return (0, []) }
        let (least, rest) = sharding.count.quotientAndRemainder(dividingBy: pushing.count)
        let first = place * least + min(place, rest)
        let order = (0..<sharding.count).map { ($0 + first) % sharding.count }
        return (least + (place < rest ? 1 : 0), order)
    }
}
