import EyotStore

/// What the database keeps about the server that it is on: one row. Each transaction that writes compares it with the
/// server first (``CommitMark``). If they differ, ``Succession`` comes before anything else is written.
struct ServerRecord: Sendable, Hashable {
    /// Another server has taken the place of the recorded one.
    var isSucceeded: Bool
    /// The recorded server answers no commit before a standby has it.
    var wasSynchronous: Bool
    /// The recorded server was found to have forgotten commits, and what follows from that was done.
    var hasForgotten: Bool
    /// It tells of the present server as it is.
    var isPresent: Bool

    private static let table = TransactionNumbers.table

    static let creation = [
        SQLStatement(
            """
            CREATE TABLE IF NOT EXISTS \(table) (
                only_row BIGINT NOT NULL PRIMARY KEY,
                added BIGINT NOT NULL,
                timeline BIGINT NOT NULL,
                is_synchronous BIGINT NOT NULL,
                has_forgotten BIGINT NOT NULL
            )
            """), insertion("\(timeline), \(isSynchronous)"),
    ]

    /// Without a row it is not known what the database was on.
    private static let completion = insertion("0, 0")

    private static func insertion(_ server: String) -> SQLStatement {
        SQLStatement(
            """
            INSERT INTO \(table) (only_row, added, timeline, is_synchronous, has_forgotten) VALUES (1, 0, \(server), 0) \
            ON CONFLICT (only_row) DO NOTHING
            """)
    }

    /// The number that rises when a standby takes over: the first digits of the name of the log's present file.
    private static let timeline =
        "CAST(CAST('x' || SUBSTR(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS BIT(32)) AS BIGINT)"

    /// 1 if a standby has each commit before it is answered, otherwise 0.
    private static let isSynchronous =
        "CASE WHEN current_setting('synchronous_standby_names') = '' THEN 0 ELSE 1 END"

    /// The condition that the row tells of the present server.
    static let isPresent = "timeline = \(timeline) AND is_synchronous = \(isSynchronous)"

    private static let selection = SQLStatement(
        """
        SELECT timeline <> \(timeline), is_synchronous = 1, has_forgotten = 1, \(isPresent) FROM \(table)
        """)

    init(on connection: PostgresConnection) throws {
        try connection.sendLater(Self.completion)
        let rows = try connection.rows(Self.selection, []) { row in
            ServerRecord(
                isSucceeded: try row.flag(), wasSynchronous: try row.flag(), hasForgotten: try row.flag(),
                isPresent: try row.flag())
        }
        guard let row = rows.first else { throw StoreError.rowMissing(table: Self.table) }
        self = row
    }

    private init(isSucceeded: Bool, wasSynchronous: Bool, hasForgotten: Bool, isPresent: Bool) {
        (self.isSucceeded, self.wasSynchronous) = (isSucceeded, wasSynchronous)
        (self.hasForgotten, self.isPresent) = (hasForgotten, isPresent)
    }

    /// Lets the row tell of the present server.
    ///
    /// - Parameters:
    ///   - added: How much more is added to the numbers of transactions.
    ///   - hasForgotten: Whether it was found to have forgotten commits.
    static func update(adding added: Int64, hasForgotten: Bool, on connection: PostgresConnection) throws {
        try connection.execute(update, [.integer(added), .integer(hasForgotten ? 1 : 0)])
    }

    private static let update = SQLStatement(
        """
        UPDATE \(table) SET timeline = \(timeline), is_synchronous = \(isSynchronous), added = added + ?1, \
        has_forgotten = ?2
        """)
}
