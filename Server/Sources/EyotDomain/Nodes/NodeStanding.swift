/// A node with the number of its leases, as the others see it.
package struct NodeStanding: Sendable, Hashable {
    /// What a node is seen to do.
    package enum State: String, Sendable, CaseIterable {
        case pushing, idle, drained
        /// Its clock and the database's are too far apart for it to push.
        case clockApart
        /// It has not been heard of for longer than a lease lasts. Its leases go to the others.
        case silent
    }

    package let node: NodeRecord
    package let shards: Int
    package let state: State

    private init(_ node: NodeRecord, shards: Int, at now: Instant) {
        (self.node, self.shards) = (node, shards)
        // What a clock says that is known to be wrong says nothing about silence.
        let isSilent = !node.isClockApart && now.seconds(since: node.seenAt) > Double(NodeLease.duration)
        let isWorking: State = node.isClockApart ? .clockApart : shards > 0 ? .pushing : .idle
        state = isSilent ? .silent : node.isDrained ? .drained : isWorking
    }

    /// All nodes on the store, in the order of their names.
    package static func all(in ledger: any Ledger, at now: Instant) throws -> [NodeStanding] {
        let owners = try ledger.nodeLeases().filter { $0.until > now }.compactMap(\.owner)
        return try ledger.nodes()
            .map { node in NodeStanding(node, shards: owners.count { $0 == node.id }, at: now) }
            .sorted { ($0.node.name, $0.node.startedAt) < ($1.node.name, $1.node.startedAt) }
    }
}
