import CSQLiteSettings
import EyotDomain
import EyotStore
import Foundation
import GRDB
import GRDBSQLite

/// An SQLite database in a file or in memory, opened and migrated to the newest schema.
///
/// Its transactions are synchronous, and only one writes at a time. ``SQLiteStore`` builds the store on it. Simulations
/// and scenarios use it directly.
package final class SQLiteDatabase: LedgerDatabase {
    /// Seconds for which a connection waits for another process that holds the file.
    static let busyTimeout = 5.0
    /// Connections that read at the same time.
    static let readers = 4
    /// Connections for ``look(_:)``. A thread of Swift's pool that looks has one at once, because the pool has no more
    /// threads than there are processors.
    private static let lookers = max(2, ProcessInfo.processInfo.activeProcessorCount)
    /// Connections for searches, see ``SQLiteStore/search(of:_:)``.
    static let searchers = 2
    /// Kibibytes of pages that the writer keeps. If a transaction's changed pages do not fit, SQLite writes them to the
    /// log before the commit. It writes them again when they change again.
    private static let writerCache = 32_768
    /// Bytes of a page in a new file. A call changes a few bytes on each of many pages, and the log gets whole pages. A
    /// file keeps the size that it was made with: 4,096 up to version 0.2.0.
    static let pageSize = 2_048

    let writer: any DatabaseWriter
    /// The connections for searches. A database in memory has one connection for everything.
    let searcher: any DatabaseReader
    /// The connections for ``look(_:)``.
    private let looker: any DatabaseReader
    /// Nil for a database in memory.
    private let folding: LogFolding?
    private var isInMemory: Bool { folding == nil }
    /// The version of the database's schema. A newer program may have raised it above ``schemaVersion``.
    package let schema: Int

    /// Opens the file, or creates it with access for this user alone.
    ///
    /// A commit is on the disk when it returns: `synchronous` is FULL on the writer, and is read back.
    ///
    /// - Parameter report: Receives each step of the schema that is taken, and each batch of a step.
    /// - Throws: ``StoreError`` if the schema is newer, foreign or unfinished, or a commit would not be durable; and
    ///   SQLite's errors for the file.
    package convenience init(path: String, report: (SchemaProgress) -> Void = { _ in }) throws {
        try self.init(path: path, folding: FoldLimits(), report: report)
    }

    /// - Parameters:
    ///   - limits: When the log is folded into the file.
    ///   - migrator: The history of the tables.
    init(
        path: String, folding limits: FoldLimits, migrator: SchemaMigrator = .sqlite,
        report: (SchemaProgress) -> Void = { _ in }
    ) throws {
        let (pool, searcher, looker, folding) = try translated {
            try Self.makePrivate(path)
            var configuration = Self.configuration()
            configuration.prepareDatabase { try $0.execute(sql: "PRAGMA page_size = \(Self.pageSize)") }
            let pool = try DatabasePool(path: path, configuration: configuration)
            configuration = Self.configuration()
            configuration.readonly = true
            configuration.maximumReaderCount = Self.searchers
            let searcher = try DatabasePool(path: path, configuration: configuration)
            configuration.maximumReaderCount = Self.lookers
            let looker = try DatabasePool(path: path, configuration: configuration)
            return (
                pool, searcher, looker, try LogFolding(path: path, configuration: Self.configuration(), limits: limits)
            )
        }
        (writer, self.searcher, self.looker, self.folding) = (pool, searcher, looker, folding)
        try translated {
            // The pool's own set-up of the log sets NORMAL, so this is set on the open writer.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            try pool.writeWithoutTransaction { database in
                // For a savepoint SQLite keeps the former content of pages, otherwise in a file.
                try database.execute(sql: "PRAGMA temp_store = MEMORY")
                // Removed content is overwritten, not only released.
                try database.execute(sql: "PRAGMA secure_delete = ON")
                try database.execute(sql: "PRAGMA cache_size = -\(Self.writerCache)")
                folding.follow(database)
            }
            try pool.writeWithoutTransaction(Self.requireDurability)
        }
        schema = try Self.migrate(pool, by: migrator, report: report)
    }

    /// An empty database that vanishes with this value.
    package init() throws {
        folding = nil
        let queue = try translated { try DatabaseQueue(configuration: Self.configuration()) }
        (writer, searcher, looker) = (queue, queue, queue)
        try translated { try queue.write { try Schema.migrate(GRDBConnection($0), dialect: .sqlite) } }
        schema = Schema.version
    }

    /// Reads in one snapshot.
    package func read<Result>(_ body: (any Ledger) throws -> Result) throws -> Result {
        try translated {
            guard isInMemory else { return try writer.read { try body(SQLLedger(GRDBConnection($0))) } }
            return try writer.unsafeRead { try Self.withoutWriting($0, body) }
        }
    }

    /// Reads few rows by their keys, on the caller's thread. An asynchronous read would change threads twice, which
    /// costs several times as much as finding a row.
    func look<Result>(_ body: (any Ledger) throws -> Result) throws -> Result {
        try translated { try looker.unsafeRead { try Self.withoutWriting($0, body) } }
    }

    /// Reads in a transaction of kept statements, and rolls back what the body has written.
    ///
    /// GRDB's own transaction is parsed each time, which takes longer than finding a row. It would also make the only
    /// connection of a database in memory refuse writes meanwhile. SQLite prepares every statement anew after that
    /// pragma, which took most of a simulation's time.
    ///
    /// - Throws: ``StoreError`` if the body has changed rows, and the body's errors.
    private static func withoutWriting<Result>(
        _ database: Database, _ body: (any Ledger) throws -> Result
    ) throws -> Result {
        try database.cachedStatement(sql: "BEGIN DEFERRED TRANSACTION").execute()
        let changes = database.totalChangesCount
        let result = Swift.Result { try body(SQLLedger(GRDBConnection(database))) }
        let isChanged = database.totalChangesCount != changes
        // A failure of the whole transaction has ended it already.
        if database.isInsideTransaction { try database.cachedStatement(sql: "ROLLBACK TRANSACTION").execute() }
        guard !isChanged else { throw StoreError.failed("what was to read has written") }
        return try result.get()
    }

    /// Writes in one transaction, all or nothing.
    package func write<Result>(_ body: (any Ledger) throws -> Result) throws -> Result {
        try translated {
            try writer.write { database in
                let ledger = SQLLedger(GRDBConnection(database))
                let result = try body(ledger)
                try ledger.storeCounts()
                return result
            }
        }
    }

    /// Writes one page on a connection of its own, which waits for no other writer.
    ///
    /// - Throws: ``StoreError``. ``StatementFault/held`` also means a writer of this process.
    func tryWriting() throws {
        guard !isInMemory else { return }
        try translated {
            var configuration = Self.configuration()
            configuration.busyMode = .immediateError
            let queue = try DatabaseQueue(path: writer.path, configuration: configuration)
            defer { try? queue.close() }
            // Eyot does not use this number. SQLite writes its page even if the number stays the same.
            try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 0") }
        }
    }

    /// Folds all of the log into the file.
    ///
    /// - Returns: Whether the log is empty.
    func foldWholeLog() async throws -> Bool {
        guard let folding else { return true }
        return try await writer.writeWithoutTransaction { folding.foldWhole(on: $0) }
    }

    /// Folds the log into the file and closes it. Later transactions fail.
    package func close() throws {
        try translated {
            if !isInMemory {
                try searcher.close()
                try looker.close()
            }
            // The file is closed even if folding fails. The next start then reads the log.
            let folded = Result {
                guard let folding else { return }
                try folding.close()
                try writer.writeWithoutTransaction(Self.emptyLog)
            }
            try writer.close()
            try folded.get()
        }
    }

    /// Folds the log into the file and empties it. If another process reads the file, such as a backup, or the disk is
    /// full, the log stays and the next start reads it.
    private static func emptyLog(_ database: Database) throws {
        guard let connection = database.sqliteConnection else { return }
        sqlite3_busy_timeout(connection, 0)
        let code = sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        if [SQLITE_OK, SQLITE_BUSY, SQLITE_FULL].contains(code & 0xff) { return }
        throw DatabaseError(resultCode: ResultCode(rawValue: code), message: "the log cannot be folded into the file")
    }

    /// The version of the schema that this program reads and writes.
    package static var schemaVersion: Int { Schema.version }

    /// Makes SQLite stop counting its memory, once for the process. Otherwise all connections would wait for one lock,
    /// a few times for each row. If SQLite is in use already, it continues to count, which is only slower.
    private static let memoryIsUncounted = sqlite_settings_uncounted_memory() == SQLITE_OK

    static func configuration() -> Configuration {
        _ = memoryIsUncounted
        var configuration = Configuration()
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(busyTimeout)
        configuration.maximumReaderCount = readers
        return configuration
    }

    /// Creates the file for this user alone, because it holds tokens and sealed keys. SQLite gives the log the same
    /// permissions.
    private static func makePrivate(_ path: String) throws {
        // A link may lead to a file that is not there yet.
        _ = try PrivateFile.makeEmpty(URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
    }

    /// Checks the settings that make a commit durable.
    static func requireDurability(_ database: Database) throws {
        let journal = try String.fetchOne(database, sql: "PRAGMA journal_mode") ?? "nothing"
        guard journal == "wal" else { throw StoreError.notDurable(setting: "journal_mode", found: journal) }
        let synchronous = try Int.fetchOne(database, sql: "PRAGMA synchronous") ?? -1
        guard synchronous >= 2 else {
            throw StoreError.notDurable(setting: "synchronous", found: synchronous == 1 ? "NORMAL" : "\(synchronous)")
        }
    }
}
