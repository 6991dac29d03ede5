import GRDB
import GRDBSQLite
import Synchronization

/// Has the log of a file folded into it aside, by a connection of its own, while the writer goes on: that is a tenth of what
/// a writer's time goes to otherwise.
///
/// SQLite begins the log anew only where all of it is in the file and nobody has written since. While there is always somebody who
/// writes, that never comes: so the writer itself folds the rest, which is short by then, before anything follows it.
///
/// A fold begins only where something was added since the last one, and one after the other: before 3.51.3 SQLite may take what a log that
/// was begun anew holds for folded where neither is so (https://sqlite.org/wal.html, the WAL-reset bug).
///
/// SQLite tells of every commit of the writer, which this value has to outlive.
final class LogFolding: Sendable {
    private let state: Mutex<FoldPlan>
    private let helper: DatabaseQueue
    private let limits: FoldLimits

    /// - Parameters:
    ///   - path: a file whose log is there.
    ///   - configuration: of the connection that folds.
    /// - Throws: what SQLite says of the file.
    init(path: String, configuration: Configuration, limits: FoldLimits) throws {
        self.limits = limits
        state = Mutex(FoldPlan(limits))
        helper = try DatabaseQueue(path: path, configuration: configuration)
        try helper.writeWithoutTransaction(SQLiteDatabase.requireDurability)
    }

    /// Listens to a writer. SQLite's own folding on its commits ends with that.
    func follow(_ writer: Database) {
        sqlite3_wal_hook(
            writer.sqliteConnection,
            { folding, connection, _, pages in
                guard let folding, let connection else { return SQLITE_OK }
                Unmanaged<LogFolding>.fromOpaque(folding).takeUnretainedValue().committed(Int(pages), on: connection)
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Ends what is under way. Nothing is folded from then on.
    func close() throws { try helper.close() }

    /// On the writer, with the log as long as a commit has left it.
    private func committed(_ pages: Int, on writer: SQLiteConnection) {
        switch state.withLock({ $0.committed(pages) }) {
        case .nothing: break
        case .foldAside: helper.asyncWriteWithoutTransaction { self.foldAside($0) }
        case .foldHere:
            // Where somebody still reads what the file holds the log cannot begin anew, and that is tried again soon.
            sqlite3_wal_checkpoint_v2(writer, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        }
    }

    /// On the writer. Folds all of the log and empties it.
    ///
    /// - Returns: false where it is being folded aside, or somebody still reads what the file holds.
    func foldWhole(on writer: Database) -> Bool {
        guard let connection = writer.sqliteConnection else { return true }
        switch state.withLock(\.whole) {
        case .nothing: return true
        case .later: return false
        case .now: break
        }
        // Everybody else's writes wait meanwhile, so readers are not waited for.
        sqlite3_busy_timeout(connection, 0)
        defer { sqlite3_busy_timeout(connection, Int32(SQLiteDatabase.busyTimeout * 1_000)) }
        guard sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil) == SQLITE_OK else {
            return false
        }
        state.withLock { $0.foldedWhole() }
        return true
    }

    /// Again and again, each time what the writer has added meanwhile, until little is left for it.
    private func foldAside(_ database: Database) {
        var before = 0
        for _ in 0..<limits.passes where database.sqliteConnection != nil {
            // What fails here stays in the log, and the writer comes to it.
            guard let folded = try? database.checkpoint(.passive).checkpointedFrameCount, folded > before else { break }
            before = folded
            if state.withLock({ $0.pages - folded <= limits.rest }) { break }
        }
        Self.sync(database)
        state.withLock { $0.foldedAside() }
    }

    /// Has the disk take what was folded, which SQLite leaves to whoever folds the last page: that is the writer, for whom many wait.
    private static func sync(_ database: Database) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard let connection = database.sqliteConnection,
            sqlite3_file_control(connection, nil, SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file
        else { return }
        // Where it fails, the writer's own sync says so.
        _ = file.pointee.pMethods?.pointee.xSync?(file, SQLITE_SYNC_NORMAL)
    }
}

/// When a log is folded, in pages.
struct FoldLimits: Sendable {
    /// In the log from which on that begins: a page that changes often is folded once for all of its changes.
    var from = 12_000
    /// That may be left for the writer. Where the log could not begin anew, that is tried again with so many more.
    var rest = 1_000
    /// How often what was added meanwhile is folded aside as well.
    var passes = 4
}

/// Decides who folds the log, commit by commit.
struct FoldPlan: Sendable {
    enum Act { case nothing, foldAside, foldHere }
    private enum Phase { case idle, aside, rest }

    /// In the log after the last commit.
    private(set) var pages = 0
    private var phase = Phase.idle
    private var from: Int
    private let limits: FoldLimits

    init(_ limits: FoldLimits) {
        self.limits = limits
        from = limits.from
    }

    mutating func committed(_ pages: Int) -> Act {
        // It has begun anew.
        if pages < self.pages { from = limits.from }
        self.pages = pages
        switch phase {
        case .idle where pages >= from:
            phase = .aside
            return .foldAside
        case .rest:
            phase = .idle
            // Where somebody reads on and it cannot begin anew, it must not grow for long.
            from = pages + limits.rest
            return .foldHere
        case .idle, .aside: return .nothing
        }
    }

    mutating func foldedAside() { phase = .rest }

    enum Whole { case nothing, now, later }

    /// Whether all of the log may be folded by the writer: not beside another one, and not where nothing was added.
    var whole: Whole { pages == 0 ? .nothing : phase == .aside ? .later : .now }

    mutating func foldedWhole() { (pages, phase, from) = (0, .idle, limits.from) }
}
