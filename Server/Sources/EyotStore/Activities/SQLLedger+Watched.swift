import EyotDomain

private enum Statements {
    static let all = SQLStatement("SELECT app, name FROM watched_activities WHERE app > 0 ORDER BY app, name LIMIT ?1")
    static let put = SQLStatement(
        "INSERT INTO watched_activities (app, name) VALUES (?1, ?2) ON CONFLICT (app, name) DO NOTHING")
    static let remove = SQLStatement("DELETE FROM watched_activities WHERE app = ?1 AND name = ?2")
}

extension SQLLedger {
    package func watched(limit: Int) throws -> [WatchedActivity] {
        try connection.rows(Statements.all, [SQLValue(limit)]) {
            WatchedActivity(app: AppID(rawValue: try $0.number()), name: try $0.text())
        }
    }

    package func put(_ watched: WatchedActivity) throws {
        try connection.queue(Statements.put, [SQLValue(watched.app), SQLValue(watched.name)])
    }

    package func remove(_ watched: WatchedActivity) throws {
        try connection.queue(Statements.remove, [SQLValue(watched.app), SQLValue(watched.name)])
    }
}
