import EyotStore
import Foundation

/// A row that says which of a connection's transactions was the last to commit.
///
/// If the connection is lost during a commit, the next one reads here whether it happened. The row is part of the same
/// transaction, so that it also tells the truth after a standby took over that had not received the last commits.
struct CommitMark {
    let writer = UUID().uuidString
    private(set) var number: Int64 = 0
    private var isPlaced = false

    static let table = "commit_marks"
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
        /// The row may have been removed as an old one, or a standby that took over may not have received it.
        static let set = SQLStatement(
            """
            INSERT INTO \(table) (writer, number, placed_at) VALUES (?1, ?2, ?3) \
            ON CONFLICT (writer) DO UPDATE SET number = excluded.number, placed_at = excluded.placed_at
            """)
        static let begin = SQLStatement("BEGIN")
        static let end = SQLStatement("COMMIT")
        /// Waits for the server's process of the lost connection, if that still works on the commit.
        static let read = SQLStatement("SELECT number FROM \(table) WHERE writer = ?1 FOR UPDATE")
    }

    /// Inserts the row, once. Marks of other processes that have committed nothing for 30 days go.
    mutating func place(on connection: PostgresConnection) throws {
        guard !isPlaced else { return }
        try connection.execute(Statements.forget, [.integer(now - 30 * 86_400)])
        try connection.execute(Statements.set, values)
        isPlaced = true
    }

    private var values: [SQLValue] { [.text(writer), .integer(number), .integer(now)] }

    /// Seconds since 1970.
    private var now: Int64 { Int64(Date().timeIntervalSince1970) }

    /// Queues the change of the row for the transaction that was begun.
    mutating func advance(on connection: PostgresConnection) throws {
        number += 1
        try connection.sendLater(Statements.set, values)
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
