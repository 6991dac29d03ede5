import EyotDomain

private enum Statements {
    static let newest = SQLStatement("SELECT COALESCE(MAX(number), 0) FROM access_log WHERE app = ?1")
    static let insert = AccessEntry.table.insert
    static let forget = SQLStatement("DELETE FROM access_log WHERE app = ?1 AND number <= ?2")
    static let entries = AccessEntry.table.select(
        "WHERE r.app = ?1 AND r.number < ?2 ORDER BY r.number DESC LIMIT ?3")
    static let removeOld = SQLStatement(
        """
        DELETE FROM access_log WHERE (app, number) IN \
        (SELECT o.app, o.number FROM access_log o WHERE o.made_at < ?1 ORDER BY o.made_at LIMIT ?2)
        """)
}

extension SQLLedger {
    package func note(_ entries: [AccessEntry], limit: Int) throws {
        for (app, some) in Dictionary(grouping: entries, by: \.call.app) {
            let owner = AuditEntry.owner(app)
            var number = try connection.rows(Statements.newest, [owner]) { try $0.integer() }.first ?? 0
            for var entry in some {
                number += 1
                entry.call.number = number
                try connection.execute(Statements.insert, entry.values)
            }
            try connection.execute(Statements.forget, [owner, SQLValue(number - limit)])
        }
    }

    package func accessEntries(of app: AppID?, before number: Int?, limit: Int) throws -> [AccessEntry] {
        try all(Statements.entries, AuditEntry.owner(app), SQLValue(number ?? Int.max), SQLValue(limit))
    }

    package func removeAccessEntries(before moment: Instant, limit: Int) throws -> Int {
        try connection.execute(Statements.removeOld, [SQLValue(moment), SQLValue(limit)])
    }
}

extension AccessEntry: SQLRecord {
    static let table = SQLTable(
        "access_log", key: "app", "number", fixed: AuditEntry.columns + ["kind", "repeated"], changing: [])

    var values: [SQLValue] { call.values + [SQLValue(kind.rawValue), SQLValue(repeated)] }

    init(columns: inout SQLColumns) throws {
        let call = try AuditEntry(columns: &columns)
        self.init(try columns.word(), call)
        repeated = try columns.integer()
    }
}
