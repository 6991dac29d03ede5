import EyotDomain

private enum Statements {
    static let newest = SQLStatement("SELECT COALESCE(MAX(number), 0) FROM audit WHERE app = ?1")
    static let insert = AuditEntry.table.insert
    static let forget = SQLStatement("DELETE FROM audit WHERE app = ?1 AND number <= ?2")
    static let entries = AuditEntry.table.select(
        "WHERE r.app = ?1 AND r.number < ?2 ORDER BY r.number DESC LIMIT ?3")
    static let removeOld = SQLStatement(
        """
        DELETE FROM audit WHERE (app, number) IN \
        (SELECT o.app, o.number FROM audit o WHERE o.made_at < ?1 ORDER BY o.made_at LIMIT ?2)
        """)
}

extension SQLLedger {
    package func note(_ entry: AuditEntry, limit: Int) throws {
        var numbered = entry
        let newest = try connection.rows(Statements.newest, [AuditEntry.owner(entry.app)]) { try $0.integer() }
        numbered.number = (newest.first ?? 0) + 1
        try connection.execute(Statements.insert, numbered.values)
        try connection.execute(Statements.forget, [AuditEntry.owner(entry.app), SQLValue(numbered.number - limit)])
    }

    package func auditEntries(of app: AppID?, before number: Int?, limit: Int) throws -> [AuditEntry] {
        try all(Statements.entries, AuditEntry.owner(app), SQLValue(number ?? Int.max), SQLValue(limit))
    }

    package func removeAuditEntries(before moment: Instant, limit: Int) throws -> Int {
        try connection.execute(Statements.removeOld, [SQLValue(moment), SQLValue(limit)])
    }
}

extension AuditEntry: SQLRecord {
    /// Beside the app and the number.
    static let columns = ["made_at", "key_id", "key_hint", "method", "route", "subject", "status", "address"]
    static let table = SQLTable("audit", key: "app", "number", fixed: columns, changing: [])

    var values: [SQLValue] {
        [
            Self.owner(app), SQLValue(number), SQLValue(at), .integer(key), SQLValue(hint), SQLValue(method),
            SQLValue(route), SQLValue(subject), SQLValue(status), SQLValue(address),
        ]
    }

    init(columns: inout SQLColumns) throws {
        let owner = try columns.number()
        let number = try columns.integer()
        self.init(
            app: owner == 0 ? nil : AppID(rawValue: owner), at: try columns.moment(), key: try columns.number(),
            hint: try columns.text(), method: try columns.text(), route: try columns.text(),
            subject: try columns.text(), status: try columns.integer(), address: try columns.optionalText())
        self.number = number
    }

    /// The app, 0 for the operator's own: a key has no room for nothing.
    static func owner(_ app: AppID?) -> SQLValue { .integer(app?.rawValue ?? 0) }
}
