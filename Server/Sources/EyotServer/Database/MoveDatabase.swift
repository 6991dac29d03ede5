import EyotCommands
import EyotDomain
import EyotPostgres
import EyotSQLite
import EyotStore
import Foundation

/// A move: all rows of a database are copied to an empty one of the other kind, which is used from then on.
///
/// Every app of the copy begins halted, as after a restore. The source gets a mark that servers refuse, and its apps
/// are halted too, so that two databases never push the same cards. The mark is durable before the copy is. A move that
/// is interrupted in between leaves a source that no server uses and an empty target, and the same command does it
/// again.
package struct MoveDatabase {
    package typealias Database = ServerConfiguration.Database

    package struct Moved: Sendable {
        package var comparisons: [MoveRows.Comparison]
        /// The bundle ids of the apps, which are halted.
        package var apps: [String]
        package var masterKey: MovedMasterKey
    }

    private static let route = "eyot database copy"

    package let source: Database
    package let target: Database
    private let configuration: ServerConfiguration

    /// - Parameters:
    ///   - source: A URL as `EYOT_DATABASE_URL` takes it.
    ///   - target: The URL of a database that has no rows, or of a file that does not exist.
    ///   - configuration: The settings that name the master key.
    /// - Throws: ``SettingError`` and ``MoveFault``.
    package init(from source: String, to target: String, _ configuration: ServerConfiguration) throws {
        self.configuration = configuration
        self.source = try Self.database(source, "FROM")
        self.target = try Self.database(target, "TO")
        guard self.source.place != self.target.place else {
            throw MoveFault(.sameDatabase, "FROM and TO are the same database, \(self.source.place)")
        }
        switch (self.source, self.target) {
        case (.sqlite, .sqlite):
            throw MoveFault(
                .sameKind, "both are files: copy one with `eyot database backup` and `eyot database restore`")
        case (.postgres, .postgres):
            throw MoveFault(
                .sameKind, "both are of PostgreSQL: copy one with its own programs, pg_dump and pg_restore")
        case (.sqlite, .postgres), (.postgres, .sqlite): break
        }
    }

    private static func database(_ text: String, _ name: String) throws -> Database {
        guard let database = Database(text) else {
            // Not with the text, which may hold a password.
            throw SettingError("\(name) must be \(Database.expected)")
        }
        return database
    }

    /// Moves the database.
    ///
    /// - Throws: ``MoveFault``, ``StoreError``, ``StartFault`` and ``SealError``.
    package func callAsFunction(report: @escaping (MoveRows.Progress) -> Void = { _ in }) throws -> Moved {
        let rows = MoveRows(try MovedTable.all(), report: report)
        let now = AdjustableClock().now
        try requireSource()
        var isAway = false
        do {
            return try source.withSide(isNew: false, at: now) { source in
                let former = try MoveMark.newest(.to, on: source.connection, source.dialect)
                if let former, former.place != target.place { throw elsewhere(former) }
                let masterKey = try MovedMasterKey(
                    of: SQLLedger(source.connection), from: self.source, to: target, configuration)
                return try target.withSide(isNew: true, at: now) { copy in
                    try requireNew(copy, former)
                    let comparisons = try rows(from: source, to: copy)
                    let mark = former ?? MoveMark(id: UUID().uuidString, .to, target.place, at: now)
                    let apps = try Self.halt(copy, "copied", at: now)
                    try MoveMark(id: mark.id, .from, self.source.place, at: now).insert(on: copy)
                    if former == nil {
                        _ = try Self.halt(source, "moved", at: now)
                        try mark.insert(on: source)
                    }
                    try source.commit()
                    isAway = true
                    try copy.commit()
                    return Moved(comparisons: comparisons, apps: apps.map(\.bundleID), masterKey: masterKey)
                }
            }
        } catch  where isAway {
            throw MoveFault(
                .unfinished,
                """
                \(source.place) is marked as moved, so no server uses it, and \(target.place) is not finished: \
                \(error). Run the same command again, or bring the source back with `eyot database reopen`
                """)
        }
    }

    // MARK: Checks

    /// Checks that the source is there and has today's tables.
    private func requireSource() throws {
        let plan: SchemaPlan
        switch source {
        case .sqlite(let path):
            guard FileManager.default.fileExists(atPath: path) else {
                throw MoveFault(.sourceMissing, "there is no database at \(path)")
            }
            plan = try SQLiteDatabase.plan(path: path, mayHaveMoved: true)
        case .postgres(let url): plan = try PostgresDatabase.plan(url, mayHaveMoved: true)
        }
        guard plan.found > 0 else { throw MoveFault(.sourceMissing, "\(source.place) has no tables of Eyot") }
        guard plan.pending.isEmpty, plan.found == plan.known else {
            throw MoveFault(
                .schemaOlder,
                """
                \(source.place) has schema \(plan.found), and this program copies schema \(plan.known) alone: run \
                `eyot migrate` with it first, or the program that it belongs to
                """)
        }
    }

    /// Names an earlier move in its target.
    private func requireNew(_ copy: any MoveSide, _ former: MoveMark?) throws {
        guard let former, let mark = try MoveMark.newest(.from, on: copy.connection, copy.dialect), mark.id == former.id
        else { return }
        throw MoveFault(
            .alreadyMoved,
            "\(target.place) is the finished copy already: start the servers with it, and resume its apps")
    }

    private func elsewhere(_ mark: MoveMark) -> MoveFault {
        MoveFault(
            .movedElsewhere,
            """
            \(source.place) was moved to \(mark.place): copy that one. If nothing was accepted there, \
            `eyot database reopen` brings the source back
            """)
    }

    /// Halts every app of one side, inside its transaction.
    private static func halt(_ side: any MoveSide, _ reason: String, at now: Instant) throws -> [App] {
        let ledger = SQLLedger(side.connection)
        let apps = try AdoptBackup(Transaction(ledger, at: now)).halt(route: route, reason: reason, beginning: nil)
        try ledger.storeCounts()
        return apps
    }
}

extension ServerConfiguration.Database {
    /// Runs the body on the database in one transaction, while no server uses it.
    ///
    /// - Parameter isNew: Whether it is made. A file gets its name when the body has committed.
    /// - Throws: ``StoreError``, also if a server uses the database; ``StartFault`` and ``MoveFault`` for a file; and
    ///   the errors of the body.
    func withSide<Result>(
        isNew: Bool, at now: Instant, _ body: (any MoveSide) throws -> Result
    ) throws -> Result {
        switch self {
        case .sqlite(let path):
            if let fault = StartFault.database(at: path) { throw fault }
            let lock = try ServingLock(database: path)
            defer { withExtendedLifetime(lock) {} }
            guard isNew else { return try SQLiteMoveSide.run(path) { try body($0) } }
            return try Self.withNewFile(path, body)
        case .postgres(let url): return try PostgresMoveSide.run(url, isNew: isNew, at: now) { try body($0) }
        }
    }

    private static func withNewFile<Result>(_ path: String, _ body: (any MoveSide) throws -> Result) throws -> Result {
        for taken in [path, path + "-wal"] where FileManager.default.fileExists(atPath: taken) {
            throw MoveFault(
                .targetNotEmpty, "\(taken) exists, and a copy replaces nothing. Move it away, or name another file")
        }
        let temporary = path + ".copying"
        let files = ["", "-wal", "-shm", "-journal"].map { temporary + $0 }
        for file in files { unlink(file) }
        defer { for file in files { unlink(file) } }
        try SQLiteDatabase(path: temporary).close()
        let result = try SQLiteMoveSide.run(temporary, isNew: true) { try body($0) }
        try DatabaseCopy.publish(temporary, as: path)
        return result
    }
}
