import EyotDomain

private enum Statements {
    static let segment = Segment.table.select("WHERE r.app = ?1 AND r.name = ?2")
    static let segments = Segment.table.select("WHERE r.app = ?1 AND r.name > ?2 ORDER BY r.name LIMIT ?3")
    static let put = Segment.table.upsert
    static let remove = SQLStatement("DELETE FROM segments WHERE app = ?1 AND name = ?2")
}

extension SQLLedger {
    package func segment(_ name: String, in app: AppID) throws -> Segment? {
        try first(Statements.segment, SQLValue(app), SQLValue(name))
    }

    package func segments(in app: AppID, after name: String, limit: Int) throws -> [Segment] {
        try all(Statements.segments, SQLValue(app), SQLValue(name), SQLValue(limit))
    }

    package func put(_ segment: Segment) throws { try connection.queue(Statements.put, segment.values) }

    package func removeSegment(_ name: String, of app: AppID) throws -> Bool {
        try connection.execute(Statements.remove, [SQLValue(app), SQLValue(name)]) == 1
    }
}

extension Segment: SQLRecord {
    static let table = SQLTable("segments", key: "app", "name", changing: ["audience", "updated_at"])

    var values: [SQLValue] { [SQLValue(app), SQLValue(name), SQLValue(audience), SQLValue(updatedAt)] }

    init(columns: inout SQLColumns) throws {
        self.init(
            app: AppID(rawValue: try columns.number()), name: try columns.text(), audience: try columns.json(),
            updatedAt: try columns.moment())
    }
}
