import EyotDomain

/// Looks at the nodes that share a database, and changes of which of them push, in the database itself.
package struct NodeTool: Sendable {
    private let configuration: ServerConfiguration

    package init(_ configuration: ServerConfiguration) { self.configuration = configuration }

    /// The nodes, in the order of their names.
    package func list() throws -> [NodeStanding] {
        try write { ledger, now in try NodeStanding.all(in: ledger, at: now) }
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
