import EyotContract
import EyotDomain

private enum Statements {
    static let activity = InsiderActivity.table.select("WHERE r.app = ?1 AND r.id = ?2")
    static let naming = SQLStatement(
        """
        SELECT id FROM insider_activities \
        WHERE app = ?1 AND id > ?2 AND users LIKE ?3 ESCAPE '\\' ORDER BY id LIMIT ?4
        """)
    static let put = InsiderActivity.table.upsert
    static let forget = SQLStatement(
        """
        DELETE FROM insider_activities WHERE (app, id) IN \
        (SELECT app, id FROM insider_activities WHERE ends_at < ?1 ORDER BY ends_at LIMIT ?2)
        """)
}

extension SQLLedger {
    package func insiderActivity(_ id: String, in app: AppID) throws -> InsiderActivity? {
        try first(Statements.activity, SQLValue(app), SQLValue(id))
    }

    package func insiderActivities(
        naming user: String, in app: AppID, after id: String, limit: Int
    ) throws -> [String] {
        let arguments = [SQLValue(app), SQLValue(id), SQLValue(listing: user), SQLValue(limit)]
        return try connection.rows(Statements.naming, arguments) { try $0.text() }
    }

    package func put(_ activity: InsiderActivity) throws { try connection.execute(Statements.put, activity.values) }

    package func forgetInsiderActivities(endedBefore moment: Instant, limit: Int) throws {
        try connection.execute(Statements.forget, [SQLValue(moment), SQLValue(limit)])
    }
}

extension InsiderActivity: SQLRecord {
    static let table = SQLTable(
        "insider_activities", key: "app", "id", fixed: ["type"],
        changing: ["users", "state", "ends_at", "ended_generation"])

    var values: [SQLValue] {
        [
            SQLValue(app), SQLValue(id), SQLValue(type), SQLValue(JSONValue.array(users.map(JSONValue.string)).text),
            SQLValue(state.rawValue), SQLValue(endsAt), SQLValue(endedGeneration),
        ]
    }

    init(columns: inout SQLColumns) throws {
        let app = AppID(rawValue: try columns.number())
        let (id, type) = (try columns.text(), try columns.text())
        let users = try JSONValue(parsing: Array(columns.text().utf8)).array?.compactMap(\.string) ?? []
        self.init(
            app: app, id: id, type: type, users: users, state: try columns.word(), endsAt: try columns.moment())
        endedGeneration = try columns.integer()
    }
}
