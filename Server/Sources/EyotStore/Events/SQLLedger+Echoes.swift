import EyotDomain

private enum Statements {
    static let echo = Echo.table.select("WHERE r.activity = ?1 AND r.ordinal = ?2")
    static let first = Echo.table.select(
        "WHERE r.activity = ?1 AND r.ordinal <= ?2 AND r.version < ?3 ORDER BY r.ordinal LIMIT ?4")
    static let put = Echo.table.upsert
    static let remove = SQLStatement("DELETE FROM echoes WHERE activity = ?1 AND ordinal = ?2")
}

extension SQLLedger {
    package func echo(of activity: ActivityID, ordinal: Int) throws -> Echo? {
        try first(Statements.echo, SQLValue(activity), SQLValue(ordinal))
    }

    package func echoes(
        of activity: ActivityID, upTo ordinal: Int, below version: Version, limit: Int
    ) throws -> [Echo] {
        try all(Statements.first, SQLValue(activity), SQLValue(ordinal), SQLValue(version), SQLValue(limit))
    }

    package func put(_ echo: Echo) throws { try connection.queue(Statements.put, echo.values) }

    package func removeEcho(of activity: ActivityID, ordinal: Int) throws {
        try connection.queue(Statements.remove, [SQLValue(activity), SQLValue(ordinal)])
    }
}

extension Echo: SQLRecord {
    static let table = SQLTable("echoes", key: "activity", "ordinal", changing: ["version", "at", "has_shown"])

    var values: [SQLValue] {
        [SQLValue(activity), SQLValue(ordinal), SQLValue(version), SQLValue(at), SQLValue(hasShownDeclared)]
    }

    init(columns: inout SQLColumns) throws {
        let (activity, ordinal) = (ActivityID(rawValue: try columns.number()), try columns.integer())
        self.init(
            activity: activity, ordinal: ordinal, version: try columns.integer(), at: try columns.moment())
        hasShownDeclared = try columns.flag()
    }
}
