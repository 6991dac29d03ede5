import EyotDomain

/// Asked app by app: what is due for a paused app is not even passed over, however much it is (R10).
private enum Statements {
    static let appsThatRun = SQLStatement("SELECT id FROM apps WHERE pause_reason IS NULL ORDER BY id")
    static let due = SQLStatement(
        "SELECT due_at, id FROM activities WHERE app = ?1 AND due_at <= ?2 ORDER BY due_at, id LIMIT ?3")
    static let next = SQLStatement("SELECT MIN(due_at) FROM activities WHERE app = ?1 AND due_at > ?2")
}

extension SQLLedger {
    package func dueActivities(at now: Instant, limit: Int) throws -> [ActivityID] {
        var found: [(at: Int64, id: Int64)] = []
        for app in try appsThatRun() {
            found += try connection.rows(Statements.due, [app, SQLValue(now), SQLValue(limit)]) { columns in
                (try columns.number(), try columns.number())
            }
        }
        found.sort { ($0.at, $0.id) < ($1.at, $1.id) }
        return found.prefix(limit).map { ActivityID(rawValue: $0.id) }
    }

    package func nextDue(after now: Instant) throws -> Instant? {
        let moments = try appsThatRun().flatMap { app in
            try connection.rows(Statements.next, [app, SQLValue(now)]) { try $0.optionalMoment() }
        }
        return moments.compactMap(\.self).min()
    }

    private func appsThatRun() throws -> [SQLValue] {
        try connection.rows(Statements.appsThatRun, []) { .integer(try $0.number()) }
    }
}
