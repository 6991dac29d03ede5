import EyotDomain

private enum Statements {
    private static let runningWords = Replica.runningWords.map { "'\($0)'" }.joined(separator: ", ")

    static let running = SQLStatement(
        """
        SELECT a.id, a.type, a.next_ordinal, \
        (SELECT COALESCE(SUM(c.value), 0) FROM kept_counts c WHERE c.app = a.app AND c.activity = a.id \
        AND c.width = 0 AND c.second = 0 AND c.counter = '\(KeptCounter.phase.name)' \
        AND c.detail IN (\(runningWords))) \
        FROM activities a WHERE a.app = ?1 AND a.ended_at IS NULL ORDER BY a.next_ordinal DESC, a.id DESC LIMIT ?2
        """)
    static let halted = SQLStatement(
        """
        SELECT id FROM activities WHERE app = ?1 AND halted_at IS NOT NULL AND ended_at IS NULL \
        ORDER BY id DESC LIMIT ?2
        """)
    static let planned = SQLStatement(
        """
        SELECT id FROM activities WHERE app = ?1 AND starts_at > ?2 AND starts_at <= ?3 AND ended_at IS NULL \
        ORDER BY starts_at, id LIMIT ?4
        """)
    static let newest = Activity.table.select("WHERE r.app = ?1 AND r.id < ?2 ORDER BY r.id DESC LIMIT ?3")
    static let reports = KeptReport.table.select(
        "WHERE r.app = ?1 AND r.activity < ?2 ORDER BY r.activity DESC LIMIT ?3")
    static let ofCounter = CountQuery(
        where: "app = ?1 AND activity = ?2 AND width = ?3 AND second >= ?4 AND second < ?5 AND counter = ?6",
        order: "second, detail", limit: 7)
}

extension SQLLedger {
    package func runningActivities(of app: AppID, limit: Int) throws -> [RunningActivity] {
        try connection.rows(Statements.running, [SQLValue(app), SQLValue(limit)]) { row in
            let (id, type) = (ActivityID(rawValue: try row.number()), try row.optionalText())
            return RunningActivity(id: id, type: type, places: try row.integer() - 1, cards: try row.integer())
        }
    }

    package func haltedActivities(of app: AppID, limit: Int) throws -> [ActivityID] {
        try connection.rows(Statements.halted, [SQLValue(app), SQLValue(limit)]) {
            ActivityID(rawValue: try $0.number())
        }
    }

    package func plannedActivities(
        of app: AppID, after now: Instant, upTo moment: Instant, limit: Int
    ) throws -> [ActivityID] {
        let arguments = [SQLValue(app), SQLValue(now), SQLValue(moment), SQLValue(limit)]
        return try connection.rows(Statements.planned, arguments) { ActivityID(rawValue: try $0.number()) }
    }

    package func newestActivities(of app: AppID, before id: ActivityID?, limit: Int) throws -> [Activity] {
        try all(Statements.newest, SQLValue(app), .integer(id?.rawValue ?? .max), SQLValue(limit))
    }

    package func newestReports(of app: AppID, before id: ActivityID?, limit: Int) throws -> [KeptReport] {
        try all(Statements.reports, SQLValue(app), .integer(id?.rawValue ?? .max), SQLValue(limit))
    }

    package func counts(of counter: KeptCounter, in range: CountRange, limit: Int) throws -> [KeptCount] {
        let single = try counts(
            Statements.ofCounter, shared: range.activity.rawValue <= 0,
            [
                SQLValue(range.app), SQLValue(range.activity), SQLValue(range.width),
                SQLValue(range.seconds.lowerBound), SQLValue(range.seconds.upperBound), SQLValue(counter.name),
                SQLValue(limit),
            ], limit: limit)
        let together = try spanCounts(in: range, limit: limit).filter { $0.key.counter == counter }
        return Self.merged(single, together, limit: limit)
    }
}
