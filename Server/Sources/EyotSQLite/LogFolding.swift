import GRDB
import GRDBSQLite
import Synchronization

/// Folds the log of a file into it on a connection of its own, while the writer continues. Otherwise folding takes a
/// tenth of the writer's time.
///
/// SQLite starts the log anew only when all of it is in the file and no write came since. On a busy server that moment
/// never comes. Therefore the writer folds the rest itself, which is short by then, before another write follows.
///
/// Folds run one after the other, and only if something was added since the last one. Otherwise SQLite before 3.51.3
/// may skip a part of a log that was started anew (the WAL-reset bug, https://sqlite.org/wal.html).
///
/// SQLite calls this value for every commit of the writer, so it must outlive the writer.
final class LogFolding: Sendable {
    private let state: Mutex<FoldPlan>
    private let helper: DatabaseQueue
    private let limits: FoldLimits

    /// - Parameters:
    ///   - path: A file that has its log.
    ///   - configuration: For the connection that folds.
    /// - Throws: SQLite's errors for the file.
    init(path: String, configuration: Configuration, limits: FoldLimits) throws {
        self.limits = limits
        state = Mutex(FoldPlan(limits))
        helper = try DatabaseQueue(path: path, configuration: configuration)
        try helper.writeWithoutTransaction(SQLiteDatabase.requireDurability)
    }

    /// Follows the commits of a writer. It replaces SQLite's own folding on them.
    func follow(_ writer: Database) {
        sqlite3_wal_hook(
            writer.sqliteConnection,
            { folding, connection, _, pages in
                guard let folding, let connection else { return SQLITE_OK }
                Unmanaged<LogFolding>.fromOpaque(folding).takeUnretainedValue().committed(Int(pages), on: connection)
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Finishes a fold under way and closes the connection. No later fold begins.
    func close() throws { try helper.close() }

    /// Runs on the writer after each commit, with the length of the log in pages.
    private func committed(_ pages: Int, on writer: SQLiteConnection) {
        switch state.withLock({ $0.committed(pages) }) {
        case .nothing: break
        case .foldAside: helper.asyncWriteWithoutTransaction { self.foldAside($0) }
        case .foldHere:
            // If a reader still uses the file's older state, the log cannot start anew, and the next try comes soon.
            sqlite3_wal_checkpoint_v2(writer, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        }
    }

    /// Folds all of the log on the writer and empties it.
    ///
    /// - Returns: False if the log is being folded aside, or a reader still uses an older state of the file.
    func foldWhole(on writer: Database) -> Bool {
        guard let connection = writer.sqliteConnection else { return true }
        switch state.withLock(\.whole) {
        case .nothing: return true
        case .later: return false
        case .now: break
        }
        // All writes wait meanwhile, so this does not wait for readers.
        sqlite3_busy_timeout(connection, 0)
        defer { sqlite3_busy_timeout(connection, Int32(SQLiteDatabase.busyTimeout * 1_000)) }
        guard sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) == SQLITE_OK else {
            return false
        }
        state.withLock { $0.foldedWhole() }
        return true
    }

    /// Folds the log in passes, each with what the writer has added meanwhile, until little is left for the writer.
    private func foldAside(_ database: Database) {
        var before = 0
        for _ in 0..<limits.passes where database.sqliteConnection != nil {
            // After a failure the rest stays in the log, and the writer folds it.
            guard let folded = try? database.checkpoint(.passive).checkpointedFrameCount, folded > before else { break }
            before = folded
            if state.withLock({ $0.pages - folded <= limits.rest }) { break }
        }
        Self.sync(database)
        state.withLock { $0.foldedAside() }
    }

    /// Syncs the folded pages to the disk. SQLite leaves that to the fold of the last page, which the writer does while
    /// many calls wait.
    private static func sync(_ database: Database) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard let connection = database.sqliteConnection,
            sqlite3_file_control(connection, nil, SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file
        else { return }
        // If this fails, the writer's own sync reports it.
        _ = file.pointee.pMethods?.pointee.xSync?(file, SQLITE_SYNC_NORMAL)
    }
}

/// When a log is folded, in pages.
struct FoldLimits: Sendable {
    /// The length of the log from which folding begins: 40 MB, and twice that with the larger pages of a file that
    /// version 0.2.0 made. A page that changes often is folded once for all of its changes, so a longer log writes less
    /// to the file. But each page that is read is looked up in all of the log: with 80,000 pages an update of a large
    /// activity takes a fifth longer.
    var from = 20_000
    /// The length that may be left for the writer. If the log could not start anew, the next try comes after as many
    /// more pages.
    var rest = 1_000
    /// How many passes a fold has at most.
    var passes = 4
}

/// The decision after each commit: whether the log is folded, and on which connection.
struct FoldPlan: Sendable {
    enum Act { case nothing, foldAside, foldHere }
    private enum Phase { case idle, aside, rest }

    /// The length of the log after the last commit.
    private(set) var pages = 0
    private var phase = Phase.idle
    private var from: Int
    private let limits: FoldLimits

    init(_ limits: FoldLimits) {
        self.limits = limits
        from = limits.from
    }

    mutating func committed(_ pages: Int) -> Act {
        // The log has started anew.
        if pages < self.pages { from = limits.from }
        self.pages = pages
        switch phase {
        case .idle where pages >= from:
            phase = .aside
            return .foldAside
        case .rest:
            phase = .idle
            // If a reader prevents a new start, the log must not grow for long.
            from = pages + limits.rest
            return .foldHere
        case .idle, .aside: return .nothing
        }
    }

    mutating func foldedAside() { phase = .rest }

    enum Whole { case nothing, now, later }

    /// Whether the writer may fold all of the log: only if something was added, and not beside another fold.
    var whole: Whole { pages == 0 ? .nothing : phase == .aside ? .later : .now }

    mutating func foldedWhole() { (pages, phase, from) = (0, .idle, limits.from) }
}
