import EyotDomain

private enum Statements {
    static let newest = SQLStatement(
        "SELECT id, began_at, cause FROM histories WHERE number = (SELECT MAX(number) FROM histories)")
    static let begin = SQLStatement("INSERT INTO histories (id, began_at, cause) VALUES (?1, ?2, ?3)")
}

extension SQLLedger {
    package func history() throws -> History? {
        try connection.rows(Statements.newest, []) { row in
            History(id: try row.text(), beganAt: try row.moment(), cause: try row.word(History.Cause.self))
        }.first
    }

    package func begin(_ history: History) throws {
        // Servers that have read the former one read again.
        changesAccess = true
        try connection.queue(
            Statements.begin, [SQLValue(history.id), SQLValue(history.beganAt), SQLValue(history.cause.rawValue)])
    }
}
