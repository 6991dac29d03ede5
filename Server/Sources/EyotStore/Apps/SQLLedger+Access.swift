import EyotDomain

private let log = NumberedLog<AccessEntry>()
private let removeOld = AccessEntry.table.removeOldest(by: "made_at")

extension SQLLedger {
    package func note(_ entries: [AccessEntry]) throws {
        for entry in entries { try log.insert(entry, on: connection) }
    }

    package func accessEntries(of app: AppID?, before number: Int?, limit: Int) throws -> [AccessEntry] {
        try all(log.newest, SQLValue(owner: app), SQLValue(number ?? Int.max), SQLValue(limit))
    }

    package func removeAccessEntries(before moment: Instant, limit: Int) throws -> Int {
        try connection.execute(removeOld, [SQLValue(moment), SQLValue(limit)])
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
