import EyotDomain

private enum Statements {
    static let definition = Definition.table.select("WHERE r.app = ?1 AND r.name = ?2")
    static let definitions = Definition.table.select("WHERE r.app = ?1 AND r.name > ?2 ORDER BY r.name LIMIT ?3")
    static let count = SQLStatement("SELECT COUNT(*) FROM definitions WHERE app = ?1 AND used_at IS NULL")
    static let noteUse = SQLStatement(
        "UPDATE definitions SET used_at = ?3 WHERE app = ?1 AND name = ?2 AND used_at < ?3")
    static let usedCount = SQLStatement("SELECT COUNT(*) FROM definitions WHERE app = ?1 AND used_at IS NOT NULL")
    static let removeUnused = SQLStatement(
        """
        DELETE FROM definitions WHERE app = ?1 AND name IN (SELECT name FROM definitions \
        WHERE app = ?1 AND used_at IS NOT NULL ORDER BY used_at, name LIMIT ?2)
        """)
    static let put = Definition.table.upsert
    static let remove = SQLStatement("DELETE FROM definitions WHERE app = ?1 AND name = ?2")
}

extension SQLLedger {
    package func definition(_ name: String, in app: AppID) throws -> Definition? {
        try first(Statements.definition, SQLValue(app), SQLValue(name))
    }

    package func definitions(of app: AppID, after name: String, limit: Int) throws -> [Definition] {
        try all(Statements.definitions, SQLValue(app), SQLValue(name), SQLValue(limit))
    }

    package func definitionCount(of app: AppID) throws -> Int {
        try connection.rows(Statements.count, [SQLValue(app)]) { try $0.integer() }.first ?? 0
    }

    package func noteUse(ofDefinition name: String, in app: AppID, at moment: Instant) throws {
        try connection.queue(Statements.noteUse, [SQLValue(app), SQLValue(name), SQLValue(moment)])
    }

    package func removeDefinitions(of app: AppID, beyond limit: Int) throws {
        let count = try connection.rows(Statements.usedCount, [SQLValue(app)]) { try $0.integer() }.first ?? 0
        guard count > limit else { return }
        try connection.queue(Statements.removeUnused, [SQLValue(app), SQLValue(count - limit)])
    }

    package func put(_ definition: Definition) throws { try connection.queue(Statements.put, definition.values) }

    package func removeDefinition(_ name: String, of app: AppID) throws -> Bool {
        try connection.execute(Statements.remove, [SQLValue(app), SQLValue(name)]) == 1
    }
}

extension Definition: SQLRecord {
    static let table = SQLTable(
        "definitions", key: "app", "name", changing: ["json", "changed_at", "used_at", "ends_at"])

    var values: [SQLValue] {
        [
            SQLValue(app), SQLValue(name), SQLValue(json), SQLValue(changedAt), SQLValue(usedAt), SQLValue(endsAt),
        ]
    }

    init(columns: inout SQLColumns) throws {
        self.init(
            app: AppID(rawValue: try columns.number()), name: try columns.text(), json: try columns.json(),
            changedAt: try columns.moment())
        usedAt = try columns.optionalMoment()
        endsAt = try columns.optionalMoment()
    }
}
