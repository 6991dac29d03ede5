import EyotDomain

private let log = NumberedLog<AuditEntry>()
private let removeOld = AuditEntry.table.removeOldest(by: "made_at")

extension SQLLedger {
    package func note(_ entry: AuditEntry) throws { try log.insert(entry, on: connection) }

    package func auditEntries(of app: AppID?, before number: Int?, limit: Int) throws -> [AuditEntry] {
        try all(log.newest, SQLValue(owner: app), SQLValue(number ?? Int.max), SQLValue(limit))
    }

    package func removeAuditEntries(before moment: Instant, limit: Int) throws -> Int {
        try connection.execute(removeOld, [SQLValue(moment), SQLValue(limit)])
    }
}

extension AuditEntry: SQLRecord {
    /// The columns after the app and the number.
    static let columns = ["made_at", "key_id", "key_hint", "method", "route", "subject", "status", "address"]
    static let table = SQLTable("audit", key: "app", "number", fixed: columns, changing: [])

    var values: [SQLValue] {
        [
            SQLValue(owner: app), SQLValue(number), SQLValue(at), .integer(key), SQLValue(hint), SQLValue(method),
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
}
