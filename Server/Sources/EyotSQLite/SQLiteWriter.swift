import EyotStore
import GRDB

/// The one connection that writes to the file, on GRDB's queue.
struct SQLiteWriter: Writer {
    private let writer: any DatabaseWriter
    private let longestSearch: Duration

    /// - Parameter longestSearch: How long one body may search by an audience.
    init(_ database: SQLiteDatabase, longestSearch: Duration) {
        (writer, self.longestSearch) = (database.writer, longestSearch)
    }

    func schedule(_ work: @escaping @Sendable (any WritingConnection) -> Void) {
        writer.asyncWriteWithoutTransaction { work(GRDBConnection($0, longestSearch: longestSearch)) }
    }
}

extension GRDBConnection: WritingConnection {
    var isInsideTransaction: Bool { database.isInsideTransaction }
    var hasFailedStatement: Bool { false }
    var changes: Int { database.totalChangesCount }

    /// SQLite's transactions that write are always alone.
    func begin(alone isAlone: Bool) throws { try run("BEGIN IMMEDIATE TRANSACTION") }

    func commit() throws { try run("COMMIT TRANSACTION") }

    func rollback() throws { try translated { try database.rollback() } }

    func beginBody() { searchEnd = nil }

    /// Runs a statement that begins or ends a transaction. GRDB's own function would parse its text each time.
    private func run(_ words: String) throws {
        try translated { try database.cachedStatement(sql: words).execute() }
    }
}
