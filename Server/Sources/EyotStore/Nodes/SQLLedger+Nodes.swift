import EyotDomain

private enum Statements {
    static let nodes = NodeRecord.table.select("ORDER BY r.id")
    static let putNode = NodeRecord.table.upsert
    static let removeNode = SQLStatement("DELETE FROM nodes WHERE id = ?1")
    static let leases = NodeLease.table.select("ORDER BY r.shard")
    static let leasesOfNode = NodeLease.table.select("WHERE r.owner = ?1 ORDER BY r.shard")
    static let lease = NodeLease.table.select("WHERE r.shard = ?1")
    static let insert = NodeLease.table.insertWhereAbsent
    /// Compares the epoch and the end, which are never the same twice together.
    static let replace = NodeLease.table.update(where: "epoch", "ends_at")
}

extension SQLLedger {
    package func nodes() throws -> [NodeRecord] { try all(Statements.nodes) }

    package func put(_ node: NodeRecord) throws { try connection.execute(Statements.putNode, node.values) }

    package func removeNode(_ id: NodeID) throws {
        try connection.execute(Statements.removeNode, [SQLValue(id.rawValue)])
    }

    package func nodeLeases() throws -> [NodeLease] { try all(Statements.leases) }

    package func nodeLeases(of owner: NodeID) throws -> [NodeLease] {
        try all(Statements.leasesOfNode, SQLValue(owner.rawValue))
    }

    package func nodeLease(of shard: Int) throws -> NodeLease? { try first(Statements.lease, SQLValue(shard)) }

    package func replace(_ former: NodeLease?, by lease: NodeLease) throws -> Bool {
        guard let former else { return try connection.execute(Statements.insert, lease.values) == 1 }
        let seen = [SQLValue(former.epoch), SQLValue(former.until)]
        return try connection.execute(Statements.replace, lease.changingValues + seen) == 1
    }
}

/// The SQL condition that an activity belongs to a set.
///
/// - Parameters:
///   - parameter: The number of the parameter with the ``EyotDomain/Shards``.
///   - column: The column with the activity's id.
func isIn(shards parameter: Int, _ column: String) -> String {
    "(?\(parameter) >> CAST(\(column) & 63 AS integer)) & 1 = 1"
}

extension SQLValue {
    init(_ shards: Shards) { self = .integer(Int64(bitPattern: shards.bits)) }
}

extension NodeLease: SQLRecord {
    static let table = SQLTable(
        "node_leases", key: "shard", changing: ["owner", "epoch", "renewed_at", "ends_at", "doubts_until"])

    var values: [SQLValue] {
        [
            SQLValue(shard), SQLValue(owner?.rawValue), SQLValue(epoch), SQLValue(renewedAt), SQLValue(until),
            SQLValue(doubtsUntil),
        ]
    }

    init(columns: inout SQLColumns) throws {
        self.init(
            shard: try columns.integer(), owner: try columns.optionalText().map(NodeID.init(rawValue:)),
            epoch: try columns.integer(), renewedAt: try columns.moment(), until: try columns.moment(),
            doubtsUntil: try columns.optionalMoment())
    }
}

extension NodeRecord: SQLRecord {
    static let table = SQLTable(
        "nodes", key: "id", fixed: ["name", "version", "started_at"],
        changing: ["beats", "seen_at", "is_drained", "is_clock_apart"])

    var values: [SQLValue] {
        [
            SQLValue(id.rawValue), SQLValue(name), SQLValue(version), SQLValue(startedAt), SQLValue(beats),
            SQLValue(seenAt), SQLValue(isDrained), SQLValue(isClockApart),
        ]
    }

    init(columns: inout SQLColumns) throws {
        let id = NodeID(rawValue: try columns.text())
        let (name, version) = (try columns.text(), try columns.text())
        self.init(id: id, name: name, version: version, at: try columns.moment())
        (beats, seenAt) = (try columns.integer(), try columns.moment())
        (isDrained, isClockApart) = (try columns.flag(), try columns.flag())
    }
}
