import EyotStore
import GRDB
import GRDBSQLite

/// A time limit for the work of a connection, whether or not its caller still waits.
enum StatementDeadline {
    /// Steps of SQLite's machine between two looks at the clock.
    private static let steps: Int32 = 10_000

    /// What ends the work.
    private struct Limit {
        var end: ContinuousClock.Instant
        var turn: SearchTurn?

        func isReached() -> Bool {
            let now = ContinuousClock.now
            return now >= end || turn?.yields(at: now) == true
        }
    }

    /// - Parameter turn: The turn that the work has, if it may have to yield it earlier.
    /// - Throws: SQLite's error for an interrupted statement when the time is over, or the turn is to be yielded.
    static func within<Result>(
        _ time: Duration, of turn: SearchTurn? = nil, on database: Database, _ body: () throws -> Result
    ) throws -> Result {
        try until(Limit(end: ContinuousClock.now + time, turn: turn), on: database, body)
    }

    /// - Throws: SQLite's error for an interrupted statement if a statement runs after `end`.
    static func until<Result>(
        _ end: ContinuousClock.Instant, on database: Database, _ body: () throws -> Result
    ) throws -> Result {
        try until(Limit(end: end), on: database, body)
    }

    private static func until<Result>(
        _ limit: Limit, on database: Database, _ body: () throws -> Result
    ) throws -> Result {
        var limit = limit
        return try withUnsafeMutablePointer(to: &limit) { limit in
            sqlite3_progress_handler(
                database.sqliteConnection, steps,
                { limit in
                    // The pointer is that of the limit, which outlives the handler.
                    guard let limit else { return 0 }
                    return limit.assumingMemoryBound(to: Limit.self).pointee.isReached() ? 1 : 0
                }, limit)
            defer { sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil) }
            return try body()
        }
    }
}
