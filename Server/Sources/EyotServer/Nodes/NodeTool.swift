import EyotDomain

/// Looks at the nodes that share a database, and changes of which of them push, in the database itself.
package struct NodeTool: Sendable {
    private let configuration: ServerConfiguration

    package init(_ configuration: ServerConfiguration) { self.configuration = configuration }

    /// A node with the number of its leases, as a list shows it.
    package struct Entry: Sendable {
        /// What a node is seen to do.
        package enum State: String, Sendable {
            case pushing, idle, drained
            /// It has not been heard of for longer than a lease lasts. Its leases go to the others.
            case silent
        }

        package var node: NodeRecord
        package var shards: Int
        package var state: State
    }

    /// The nodes, in the order of their names.
    package func list() throws -> [Entry] {
        try write { ledger, now in
            let owners = try ledger.nodeLeases().filter { $0.until > now }.compactMap(\.owner)
            return try ledger.nodes().map { node in
                let shards = owners.count { $0 == node.id }
                let isSilent = now.seconds(since: node.seenAt) > Double(NodeLease.duration)
                return Entry(
                    node: node, shards: shards,
                    state: isSilent ? .silent : node.isDrained ? .drained : shards > 0 ? .pushing : .idle)
            }
            .sorted { ($0.node.name, $0.node.startedAt) < ($1.node.name, $1.node.startedAt) }
        }
    }

    /// Makes a node give all its shards back, or take its share again.
    ///
    /// - Throws: ``StartFault`` with `nodeUnknown`.
    package func setDrained(_ isDrained: Bool, _ name: String) throws {
        try write { ledger, _ in
            let named = try ledger.nodes().filter { $0.name == name || $0.id.rawValue == name }
            guard !named.isEmpty else { throw StartFault.nodeUnknown(name) }
            for var node in named {
                node.isDrained = isDrained
                try ledger.put(node)
            }
        }
    }

    private func write<Result>(_ body: (any Ledger, Instant) throws -> Result) throws -> Result {
        let now = AdjustableClock().now
        return try configuration.openExistingDatabase().closing { database in
            try database.write { try body($0, now) }
        }
    }
}
