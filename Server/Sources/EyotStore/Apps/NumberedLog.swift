import EyotDomain

/// The statements of a table that numbers the rows of each app and keeps the newest.
///
/// The table has the columns `app`, `number` and `made_at`.
struct NumberedLog<Row: SQLRecord> {
    let newest = SQLStatement("SELECT COALESCE(MAX(number), 0) FROM \(Row.table.name) WHERE app = ?1")
    let insert = Row.table.insert
    let forget = SQLStatement("DELETE FROM \(Row.table.name) WHERE app = ?1 AND number <= ?2")
    let rows = Row.table.select("WHERE r.app = ?1 AND r.number < ?2 ORDER BY r.number DESC LIMIT ?3")
    let removeOld = SQLStatement(
        """
        DELETE FROM \(Row.table.name) WHERE (app, number) IN \
        (SELECT o.app, o.number FROM \(Row.table.name) o WHERE o.made_at < ?1 ORDER BY o.made_at LIMIT ?2)
        """)
}

extension SQLLedger {
    /// Appends rows of an app with the next numbers, and keeps the newest `limit` rows.
    ///
    /// - Parameter number: Sets the number of a row.
    func append<Row: SQLRecord>(
        _ rows: [Row], of app: AppID?, to log: NumberedLog<Row>, limit: Int, _ number: (inout Row, Int) -> Void
    ) throws {
        let owner = AuditEntry.owner(app)
        var newest = try connection.rows(log.newest, [owner]) { try $0.integer() }.first ?? 0
        for var row in rows {
            newest += 1
            number(&row, newest)
            try connection.queue(log.insert, row.values)
        }
        try connection.queue(log.forget, [owner, SQLValue(newest - limit)])
    }
}
