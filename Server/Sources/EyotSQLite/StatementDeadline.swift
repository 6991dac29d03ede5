import GRDB
import GRDBSQLite

/// A time limit for the work of a connection, whether or not its caller still waits.
enum StatementDeadline {
    /// Steps of SQLite's machine between two looks at the clock.
    private static let steps: Int32 = 10_000

    /// - Throws: SQLite's error for an interrupted statement when the time is over.
    static func within<Result>(
        _ time: Duration, on database: Database, _ body: () throws -> Result
    ) throws -> Result {
        try until(ContinuousClock.now + time, on: database, body)
    }

    /// - Throws: SQLite's error for an interrupted statement if a statement runs after `end`.
    static func until<Result>(
        _ end: ContinuousClock.Instant, on database: Database, _ body: () throws -> Result
    ) throws -> Result {
        var end = end
        return try withUnsafeMutablePointer(to: &end) { end in
            sqlite3_progress_handler(
                database.sqliteConnection, steps,
                { end in
                    guard let end else { return 0 }
                    return ContinuousClock.now < end.load(as: ContinuousClock.Instant.self) ? 0 : 1
                }, end)
            defer { sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil) }
            return try body()
        }
    }
}
