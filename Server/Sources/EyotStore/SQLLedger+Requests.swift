import EyotDomain

extension SQLTable {
    /// The statements that find rows by the ids of their requests.
    ///
    /// By the server's id and by the caller's, each by its own index: with both in one condition SQLite would read all
    /// rows of the app.
    var ofRequest: [SQLStatement] {
        ["request", "callers_request"].map { select("WHERE r.app = ?1 AND r.\($0) = ?2 ORDER BY r.id LIMIT ?3") }
    }
}

extension SQLLedger {
    /// The rows of both statements, in the order of their ids.
    func all<Record: SQLRecord>(
        _ statements: [SQLStatement], ofRequest id: String, in app: AppID, limit: Int, by key: KeyPath<Record, Int64>
    ) throws -> [Record] {
        let found = try statements.flatMap { statement -> [Record] in
            try all(statement, SQLValue(app), SQLValue(id), SQLValue(limit))
        }
        return Array(found.sorted { $0[keyPath: key] < $1[keyPath: key] }.prefix(limit))
    }
}
