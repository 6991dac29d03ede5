import EyotStore
import Foundation

/// A row that says which of a connection's transactions was the last to commit.
///
/// If the connection is lost during a commit, the next one reads here whether it happened. The row is part of the same
/// transaction, so that it also tells the truth after a standby took over that had not received the last commits.
struct CommitMark {
    let writer = UUID().uuidString
    private(set) var number: Int64 = 0
    /// The number of the last transaction that is known to have been committed.
    private(set) var answered: Int64 = 0
    private var isPlaced = false
    /// When the row was last changed, in seconds since 1970.
    private var changedAt: Int64 = 0
    /// Seconds for which a row stays that is not changed.
    private static let memory: Int64 = 30 * 86_400

    static let table = "commit_marks"
    /// Keeps all other transactions away that write. Each of them locks the table first, and so do servers that start.
    static let lock = SQLStatement("LOCK TABLE \(table) IN EXCLUSIVE MODE")
    /// How long the server's process of a lost connection may take to end.
    private static let longestWait = Duration.seconds(10)
    /// One row for each writer of each process that ran in the last days.
    static func creation(_ dialect: SQLDialect) -> String {
        """
        CREATE TABLE IF NOT EXISTS \(table) (
            writer \(dialect.text) NOT NULL PRIMARY KEY,
            number \(dialect.integer) NOT NULL,
            placed_at \(dialect.integer) NOT NULL
        )
        """
    }

    private enum Statements {
        static let forget = SQLStatement("DELETE FROM \(table) WHERE placed_at < ?1")
        static let place = SQLStatement(
            """
            INSERT INTO \(table) (writer, number, placed_at) VALUES (?1, ?2, ?3) \
            ON CONFLICT (writer) DO UPDATE SET number = excluded.number, placed_at = excluded.placed_at
            """)
        /// Changes no row on another server than the recorded one, or if the server lacks the last commit. An UPDATE
        /// could read the whole small table, which would be a conflict with every other writer.
        static let advance = SQLStatement(
            """
            INSERT INTO \(table) (writer, number, placed_at) \
            SELECT ?1, ?2, ?3 FROM \(TransactionNumbers.table) WHERE \(ServerRecord.isPresent) \
            ON CONFLICT (writer) DO UPDATE SET number = excluded.number, placed_at = excluded.placed_at \
            WHERE \(table).number >= ?4
            """)
        static let number = SQLStatement("SELECT number FROM \(table) WHERE writer = ?1")
        static let begin = SQLStatement("BEGIN")
        static let end = SQLStatement("COMMIT")
        /// Waits for the server's process of the lost connection, if that still works on the commit.
        static let read = SQLStatement("SELECT number FROM \(table) WHERE writer = ?1 FOR UPDATE")
    }

    /// Inserts the row, if it may not be there. Marks of other processes that have committed nothing for 30 days go.
    mutating func place(on connection: PostgresConnection) throws {
        guard !isPlaced || now - changedAt > Self.memory / 2 else { return }
        try connection.execute(Statements.forget, [.integer(now - Self.memory)])
        try connection.execute(Statements.place, values)
        (isPlaced, changedAt) = (true, now)
    }

    private var values: [SQLValue] { [.text(writer), .integer(number), .integer(now)] }

    /// Seconds since 1970.
    private var now: Int64 { Int64(Date().timeIntervalSince1970) }

    /// Queues the change of the row for the transaction that was begun.
    mutating func advance(on connection: PostgresConnection) throws {
        number += 1
        changedAt = now
        try connection.sendLater(Statements.advance, values + [.integer(answered)], changingRowOf: Self.table)
    }

    /// Notes that the last transaction was committed.
    mutating func noteCommit() { answered = number }

    /// Has the row inserted again.
    mutating func replace() { isPlaced = false }

    /// The number in a writer's row; nil if there is none.
    static func number(of writer: String, on connection: PostgresConnection) throws -> Int64? {
        try connection.rows(Statements.number, [.text(writer)]) { try $0.number() }.first
    }

    /// Whether the last transaction was committed.
    func isCommitted(on connection: PostgresConnection) throws -> Bool {
        var found: Int64 = -1
        try connection.sendLater(Statements.begin)
        try connection.limitStatements(to: Self.longestWait)
        try connection.forEachRow(Statements.read, [.text(writer)], numbers: 1) { found = $0[0] }
        try connection.sendLater(Statements.end)
        try connection.settle()
        return found == number
    }
}
