import GRDB
import GRDBSQLite

/// Ends what a connection does when it takes too long, also when nobody waits for it any more.
enum StatementDeadline {
    /// Steps of SQLite's machine between two looks at the clock: well under a millisecond.
    private static let steps: Int32 = 10_000

    /// - Throws: what SQLite says of an interrupted statement, where the time is over.
    static func within<Result>(
        _ time: Duration, on database: Database, _ body: () throws -> Result
    ) throws -> Result {
        var end = ContinuousClock.now + time
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
