import CSQLiteSettings
import EyotDomain
import EyotStore
import Foundation
import GRDB
import GRDBSQLite

/// A database of SQLite's, opened and brought to the newest schema: in a file, or in memory.
///
/// Its transactions are synchronous, one at a time for writers. ``SQLiteStore`` makes the store of it; simulations and
/// scenarios use it as it is.
package final class SQLiteDatabase: Sendable {
    /// For how long a connection waits for another process that holds the file, in seconds.
    static let busyTimeout = 5.0
    /// Connections that read at the same time.
    static let readers = 4
    /// Connections for searches, see ``SQLiteStore/search(of:_:)``.
    static let searchers = 2
    /// Kibibytes of pages that the writer keeps. Where the pages that a transaction changes do not fit, SQLite writes them to
    /// the log before the commit, and again when they change again.
    private static let writerCache = 32_768

    let writer: any DatabaseWriter
    /// Reads for searches. A database in memory has one connection for everything.
    let searcher: any DatabaseReader
    /// Of a file.
    private let folding: LogFolding?
    private var isInMemory: Bool { folding == nil }

    /// Opens the file, or makes it, readable for this user alone.
    ///
    /// A commit is on the disk when it returns: SQLite's `synchronous` is FULL on the writer, and read back.
    ///
    /// - Throws: ``StoreError`` where the schema is newer or foreign, or a commit would not be durable; and what SQLite says
    ///   of the file.
    package convenience init(path: String) throws { try self.init(path: path, folding: FoldLimits()) }

    /// - Parameter limits: when the log is folded into the file.
    init(path: String, folding limits: FoldLimits) throws {
        let (pool, searcher, folding) = try translated {
            try Self.makePrivate(path)
            let pool = try DatabasePool(path: path, configuration: Self.configuration())
            var configuration = Self.configuration()
            configuration.readonly = true
            configuration.maximumReaderCount = Self.searchers
            let searcher = try DatabasePool(path: path, configuration: configuration)
            return (pool, searcher, try LogFolding(path: path, configuration: Self.configuration(), limits: limits))
        }
        (writer, self.searcher, self.folding) = (pool, searcher, folding)
        try translated {
            // The pool's own set-up of the log puts this to NORMAL, so it is set on the writer as it stands open.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            try pool.writeWithoutTransaction { database in
                // Some writes have a savepoint, for which SQLite keeps what pages held before, else in a file.
                try database.execute(sql: "PRAGMA temp_store = MEMORY")
                // What is removed is overwritten, and not only let go.
                try database.execute(sql: "PRAGMA secure_delete = ON")
                try database.execute(sql: "PRAGMA cache_size = -\(Self.writerCache)")
                folding.follow(database)
            }
            try pool.writeWithoutTransaction(Self.requireDurability)
        }
        try migrate()
    }

    /// An empty database that vanishes with this value.
    package init() throws {
        folding = nil
        let queue = try translated { try DatabaseQueue(configuration: Self.configuration()) }
        (writer, searcher) = (queue, queue)
        try migrate()
    }

    /// Reads in one snapshot.
    package func read<Result>(_ body: (any Ledger) throws -> Result) throws -> Result {
        try translated {
            guard isInMemory else { return try writer.read { try body(SQLLedger(GRDBConnection($0))) } }
            return try writer.unsafeRead { try Self.withoutWriting($0, body) }
        }
    }

    /// A snapshot of a database in memory: its one connection, while nobody else has it. Whatever the body has written is undone.
    ///
    /// GRDB would have the connection refuse writes meanwhile, by a pragma after which SQLite prepares every statement anew:
    /// that was most of what a simulation took.
    ///
    /// - Throws: also where the body has changed rows.
    private static func withoutWriting<Result>(
        _ database: Database, _ body: (any Ledger) throws -> Result
    ) throws -> Result {
        try database.cachedStatement(sql: "BEGIN DEFERRED TRANSACTION").execute()
        let changes = database.totalChangesCount
        let result = Swift.Result { try body(SQLLedger(GRDBConnection(database))) }
        let isChanged = database.totalChangesCount != changes
        // A failure that concerns the whole transaction has ended it.
        if database.isInsideTransaction { try database.cachedStatement(sql: "ROLLBACK TRANSACTION").execute() }
        guard !isChanged else { throw StoreError.failed("what was to read has written") }
        return try result.get()
    }

    /// Writes in one transaction, all or nothing.
    package func write<Result>(_ body: (any Ledger) throws -> Result) throws -> Result {
        try translated { try writer.write { try body(SQLLedger(GRDBConnection($0))) } }
    }

    /// - Returns: whether the log is empty.
    func foldWholeLog() async throws -> Bool {
        guard let folding else { return true }
        return try await writer.writeWithoutTransaction { folding.foldWhole(on: $0) }
    }

    /// Folds the log into the file and closes it. Transactions fail from then on.
    package func close() throws {
        try translated {
            if !isInMemory { try searcher.close() }
            // Whatever becomes of the log: where it is not folded, the next start reads it.
            let folded = Result {
                guard let folding else { return }
                try folding.close()
                try writer.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            }
            try writer.close()
            try folded.get()
        }
    }

    private func migrate() throws {
        try translated { try writer.write { try Schema.migrate(GRDBConnection($0), dialect: .sqlite) } }
    }

    /// Has SQLite not count its memory, once for the process: all connections would wait for one lock, a few times for each
    /// row. Where SQLite is in use already, it goes on counting: that is slower, and nothing else.
    private static let memoryIsUncounted = sqlite_settings_uncounted_memory() == SQLITE_OK

    private static func configuration() -> Configuration {
        _ = memoryIsUncounted
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(busyTimeout)
        configuration.maximumReaderCount = readers
        return configuration
    }

    /// The file holds tokens and sealed keys. SQLite gives the log the permissions of the file.
    private static func makePrivate(_ path: String) throws {
        guard !FileManager.default.fileExists(atPath: path) else { return }
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw StoreError.failed("the file \(path) cannot be made; see that its folder exists and is writable") }
    }

    /// Reads back what makes a commit durable.
    static func requireDurability(_ database: Database) throws {
        let journal = try String.fetchOne(database, sql: "PRAGMA journal_mode") ?? "nothing"
        guard journal == "wal" else { throw StoreError.notDurable(setting: "journal_mode", found: journal) }
        let synchronous = try Int.fetchOne(database, sql: "PRAGMA synchronous") ?? -1
        guard synchronous >= 2 else {
            throw StoreError.notDurable(setting: "synchronous", found: synchronous == 1 ? "NORMAL" : "\(synchronous)")
        }
    }
}
