import EyotStore

/// What keeps ids of events rising when the server's numbers of transactions do not: a number that is added to them.
enum EventNumberTable {
    private static let table = TransactionNumbers.table
    /// How much further ids are after a standby took over. Readers may have seen events of transactions that it had not
    /// received, and it uses their numbers again.
    static let margin: Int64 = 1 << 24

    /// Raises what is added, so that the ids of further events are above a number.
    static func raise(above number: Int64, on connection: PostgresConnection) throws {
        let (reached, present) = (TransactionNumbers.transaction(of: "?1"), TransactionNumbers.present)
        try connection.execute(
            SQLStatement(
                """
                UPDATE \(table) SET added = \(reached) - \(present) + \(margin) WHERE \(reached) >= \(present) + added
                """), [.integer(number)])
    }

    /// An id that no event has reached yet, also among those that were removed.
    static func unreached(on connection: PostgresConnection) throws -> Int64 {
        try connection.rows(SQLStatement("SELECT \(TransactionNumbers.unreached)"), []) { try $0.number() }.first ?? 0
    }

    /// Raises what is added, if the server has restored the events from one with more transactions.
    static func raise(on connection: PostgresConnection) throws {
        // No transaction records an event meanwhile.
        try connection.sendLater(CommitMark.lock)
        let tables = try TransactionNumbers.numberedTables.filter { try has($0, on: connection) }
            .map { "COALESCE((SELECT MAX(id) FROM \($0)), 0)" }
        let highest = TransactionNumbers.transaction(of: "GREATEST(\(tables.joined(separator: ", ")))")
        let present = TransactionNumbers.present
        try connection.execute(
            SQLStatement(
                """
                UPDATE \(table) SET added = \(highest) - \(present) + \(margin) \
                WHERE \(highest) > \(present) + added
                """), [])
    }

    /// Whether a table is there. A program with some of the steps only lacks it.
    private static func has(_ table: String, on connection: PostgresConnection) throws -> Bool {
        let found = SQLStatement("SELECT CASE WHEN to_regclass(?1) IS NULL THEN 0 ELSE 1 END")
        return try connection.rows(found, [.text(table)]) { try $0.flag() }.first ?? false
    }
}
