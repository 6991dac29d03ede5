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
            case .bySequence, .byTable: insertCounted
            case .byTransaction: insertDrawn
            }
        try connection.queue(statement, values)
    }
}

/// The statements that find and remove what an app has beyond the limit of a log.
private struct LogRows: Sendable {
    static let changes = LogRows(AuditEntry.table)
    static let accesses = LogRows(AccessEntry.table)
    static let identityFailures = LogRows(IdentityFailure.table)
    static let answers = LogRows(AnsweredRequest.table)

    let table: String
    let beyond: SQLStatement
    let remove: SQLStatement

    private init(_ table: SQLTable) {
        let name = table.name
        self.table = name
        beyond = SQLStatement("SELECT number FROM \(name) WHERE app = ?1 ORDER BY number DESC LIMIT 1 OFFSET ?2")
        remove = SQLStatement(
            """
            DELETE FROM \(name) WHERE app = ?1 AND number IN \
            (SELECT o.number FROM \(name) o WHERE o.app = ?1 AND o.number <= ?2 ORDER BY o.number LIMIT ?3)
            """)
    }
}

extension AppLog {
    fileprivate var rows: LogRows {
        switch self {
        case .changes: .changes
        case .accesses: .accesses
        case .identityFailures: .identityFailures
        case .answers: .answers
        }
    }

    /// The table with the log's rows, which has the columns `app` and `number`.
    package var table: String { rows.table }
}

extension SQLLedger {
    package func newestNumber(beyond limit: Int, in log: AppLog, of app: AppID?) throws -> Int? {
        try connection.rows(log.rows.beyond, [SQLValue(owner: app), SQLValue(limit)]) { try $0.integer() }.first
    }

    package func removeRows(upTo number: Int, from log: AppLog, of app: AppID?, limit: Int) throws -> Int {
        try connection.execute(log.rows.remove, [SQLValue(owner: app), SQLValue(number), SQLValue(limit)])
    }
}

extension SQLValue {
    /// The id of a row's app, or 0 for the operator's own rows, because a key column cannot be NULL.
    init(owner app: AppID?) { self = .integer(app?.rawValue ?? 0) }
}
