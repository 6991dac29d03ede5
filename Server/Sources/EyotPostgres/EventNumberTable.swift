import EyotStore

/// The row that keeps ids of events rising when the server's numbers of transactions do not.
enum EventNumberTable {
    private static let table = TransactionNumbers.table
    /// The table of the events themselves.
    static let events = "events"
    /// How much further ids are after a standby took over. Readers may have seen events of transactions that it had not
    /// received, and it uses their numbers again.
    private static let margin = 1 << 24

    static let creation = [
        SQLStatement(
            """
            CREATE TABLE IF NOT EXISTS \(table) \
            (added BIGINT NOT NULL, timeline BIGINT NOT NULL, only_row BIGINT NOT NULL PRIMARY KEY)
            """),
        SQLStatement(
            """
            INSERT INTO \(table) (added, timeline, only_row) VALUES (0, \(timeline), 1) \
            ON CONFLICT (only_row) DO NOTHING
            """),
    ]

    /// The number that rises when a standby takes over: the first digits of the name of the log's present file.
    private static let timeline =
        "CAST(CAST('x' || SUBSTR(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS BIT(32)) AS BIGINT)"

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

    /// Raises what is added, if the server has restored the events from another one, or has taken another's place.
    static func raise(on connection: PostgresConnection) throws {
        // No transaction records an event meanwhile.
        try connection.sendLater(SQLStatement("LOCK TABLE \(CommitMark.table) IN EXCLUSIVE MODE"))
        try connection.execute(
            SQLStatement(
                """
                UPDATE \(table) SET timeline = \(timeline), \
                added = added + \(margin) WHERE timeline <> \(timeline)
                """), [])
        let highest = "(SELECT \(TransactionNumbers.transaction(of: "COALESCE(MAX(id), 0)")) FROM \(events))"
        let present = TransactionNumbers.present
        try connection.execute(
            SQLStatement(
                """
                UPDATE \(table) SET added = \(highest) - \(present) + \(margin) \
                WHERE \(highest) > \(present) + added
                """), [])
    }
}
