import EyotDomain

/// The statements of a table that numbers the rows of each app. It has the columns `app` and `number`.
struct NumberedLog<Row: SQLRecord>: Sendable {
    private static var number: String { "number" }

    /// Numbers that the table counts, for each app from 1. Transactions that write come one after the other.
    private let insertCounted = Row.table.insert(
        computing: number, by: "(SELECT COALESCE(MAX(n.number), 0) + 1 FROM \(Row.table.name) n WHERE n.app = ?1)")
    /// Numbers that the database draws, for all apps together. A transaction that reads no other row is in conflict
    /// with none that adds one.
    private let insertDrawn = Row.table.insert(computing: number, by: "DEFAULT")
    let newest = Row.table.select("WHERE r.app = ?1 AND r.number < ?2 ORDER BY r.number DESC LIMIT ?3")

    func insert(_ row: Row, on connection: any SQLConnection) throws {
        var values = row.values
        if let place = Row.table.columns.firstIndex(of: Self.number) { values.remove(at: place) }
        let statement =
            switch connection.eventNumbers {
            case .counted: insertCounted
            case .byTransaction: insertDrawn
            }
        try connection.queue(statement, values)
    }
}

/// The statements that find and remove what an app has beyond its limit.
private struct LogLimit: Sendable {
    let beyond: SQLStatement
    let remove: SQLStatement

    init(_ name: String) {
        beyond = SQLStatement("SELECT number FROM \(name) WHERE app = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2")
        remove = SQLStatement(
            """
            DELETE FROM \(name) WHERE app = ?1 AND number IN \
            (SELECT o.number FROM \(name) o WHERE o.app = ?1 AND o.number <= ?2 ORDER BY o.number LIMIT ?3)
            """)
    }

    static let all = Dictionary(uniqueKeysWithValues: AppLog.allCases.map { ($0, LogLimit($0.table)) })
}

extension AppLog {
    /// The table with the log's rows, which has the columns `app` and `number`.
    package var table: String {
        switch self {
        case .changes: AuditEntry.table.name
        case .accesses: AccessEntry.table.name
        case .identityFailures: IdentityFailure.table.name
        case .answers: AnsweredRequest.table.name
        }
    }
}

extension SQLLedger {
    package func newestNumber(beyond limit: Int, in log: AppLog, of app: AppID?) throws -> Int? {
        guard let statements = LogLimit.all[log] else { return nil }
        return try connection.rows(statements.beyond, [AuditEntry.owner(app), SQLValue(limit)]) { try $0.integer() }
            .first
    }

    package func removeRows(upTo number: Int, from log: AppLog, of app: AppID?, limit: Int) throws -> Int {
        guard let statements = LogLimit.all[log] else { return 0 }
        return try connection.execute(
            statements.remove, [AuditEntry.owner(app), SQLValue(number), SQLValue(limit)])
    }
}
