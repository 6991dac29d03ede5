import EyotDomain

private enum Statements {
    static let lease = NodeLease.table.select("WHERE r.shard = ?1")
    static let insert = NodeLease.table.insertWhereAbsent
    /// Compares the epoch and the end, which are never the same twice together.
    static let replace = NodeLease.table.update(where: "epoch", "ends_at")
}

extension SQLLedger {
    package func nodeLease(of shard: Int) throws -> NodeLease? { try first(Statements.lease, SQLValue(shard)) }

    package func replace(_ former: NodeLease?, by lease: NodeLease) throws -> Bool {
        guard let former else { return try connection.execute(Statements.insert, lease.values) == 1 }
        let seen = [SQLValue(former.epoch), SQLValue(former.until)]
        return try connection.execute(Statements.replace, lease.changingValues + seen) == 1
    }
}

extension NodeLease: SQLRecord {
    static let table = SQLTable(
        "node_leases", key: "shard", changing: ["owner", "epoch", "renewed_at", "ends_at"])

    var values: [SQLValue] {
        [
            SQLValue(shard), SQLValue(owner?.rawValue), SQLValue(epoch), SQLValue(renewedAt), SQLValue(until),
        ]
    }

    init(columns: inout SQLColumns) throws {
        self.init(
            shard: try columns.integer(), owner: try columns.optionalText().map(NodeID.init(rawValue:)),
            epoch: try columns.integer(), renewedAt: try columns.moment(), until: try columns.moment())
    }
}
