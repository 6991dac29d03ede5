import EyotDomain

private let log = NumberedLog<AccessEntry>()

extension SQLLedger {
    package func note(_ entries: [AccessEntry], limit: Int) throws {
        for (app, some) in Dictionary(grouping: entries, by: \.call.app) {
            try append(some, of: app, to: log, limit: limit) { $0.call.number = $1 }
        }
    }

    package func accessEntries(of app: AppID?, before number: Int?, limit: Int) throws -> [AccessEntry] {
        try all(log.rows, AuditEntry.owner(app), SQLValue(number ?? Int.max), SQLValue(limit))
    }

    package func removeAccessEntries(before moment: Instant, limit: Int) throws -> Int {
        try connection.execute(log.removeOld, [SQLValue(moment), SQLValue(limit)])
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
