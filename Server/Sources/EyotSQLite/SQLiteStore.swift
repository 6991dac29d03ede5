import EyotDomain
import EyotStore
import Foundation
import GRDB

/// The store in one SQLite file: readers on snapshots, and one writer that commits many requests together.
package final class SQLiteStore: ServedStore {
    /// How many commits' hints wait for their consumer before the oldest are dropped.
    static let hintLimit = 1_024

    /// How long one search may take, in seconds.
    package static let longestSearch = 5.0

    package let woken: AsyncStream<[ActivityID]>
    private let database: SQLiteDatabase
    private let commits: GroupCommit
    private let searches: SearchTurns
    private let longestSearch: Double
    private let hints: AsyncStream<[ActivityID]>.Continuation
    private let recheck = Recheck()

    /// - Parameters:
    ///   - limits: The limits of the writer.
    ///   - longestSearch: How long one search may take, in seconds.
    ///   - leastTurn: How long a question keeps its turn to search at least, if a declaration waits.
    ///   - observe: Receives a report of each commit, on the writer. It must not wait.
    ///   - tell: Receives that the database refuses writes, and that it takes them again.
    package init(
        _ database: SQLiteDatabase, limits: GroupCommitLimits = GroupCommitLimits(),
        longestSearch: Double = SQLiteStore.longestSearch, leastTurn: Duration = SearchTurn.leastTime,
        observe: @escaping @Sendable (CommitReport) -> Void = { _ in },
        tell: @escaping @Sendable (WriteNews) -> Void = { _ in }
    ) {
        self.database = database
        self.longestSearch = longestSearch
        searches = SearchTurns(limit: SQLiteDatabase.searchers - 1, leastTime: leastTurn)
        let (woken, hints) = AsyncStream.makeStream(
            of: [ActivityID].self, bufferingPolicy: .bufferingNewest(Self.hintLimit))
        (self.woken, self.hints) = (woken, hints)
        commits = GroupCommit(
            [SQLiteWriter(database, longestSearch: limits.search)], limits: limits,
            wake: { activities in hints.yield(activities.sorted { $0.rawValue < $1.rawValue }) }, observe: observe,
            tell: tell)
    }

    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        do {
            return try await database.writer.read { try body(SQLLedger(GRDBConnection($0))) }
        } catch {
            // A caller that is cancelled interrupts its statement.
            try Task.checkCancellation()
            throw readError((error as? DatabaseError).map(StoreError.init) ?? error, of: body)
        }
    }

    package func look<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        do {
            return try database.look(body)
        } catch {
            throw readError(error, of: body)
        }
    }

    /// The error that the caller of a read gets. A refused read counts for health.
    private func readError<Result: Sendable>(
        _ error: any Error, of body: @escaping @Sendable (any Ledger) throws -> Result
    ) -> any Error {
        guard let error = error as? StoreError, error.isRefusal else { return error }
        commits.note(error) { _ = try body($0) }
        return portError(error)
    }

    package func search<Result: Sendable>(
        of app: AppID, for purpose: SearchPurpose, _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        let (reader, time) = (database.searcher, Duration.seconds(longestSearch))
        do {
            return try await searches.search(of: app, for: purpose) { turn in
                try await reader.read { database in
                    try StatementDeadline.within(time, of: turn, on: database) {
                        try body(SQLLedger(GRDBConnection(database)))
                    }
                }
            }
        } catch {
            // A caller that is cancelled interrupts its statement.
            try Task.checkCancellation()
            let error = (error as? DatabaseError).map(StoreError.init) ?? error
            throw error as? StoreError == .interrupted ? Self.tooCostly(longestSearch) : error
        }
    }

    private static func tooCostly(_ seconds: Double) -> EyotError {
        EyotError(
            .audienceTooCostly, "the search for its devices takes longer than \(seconds) seconds", field: "audience")
    }

    package func write<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        try await submit(body)
    }

    package func writeUrgently<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        try await submit(body, urgently: true)
    }

    package func tryOut<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        try await submit(body, undone: true)
    }

    private func submit<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result, urgently isUrgent: Bool = false,
        undone isUndone: Bool = false
    ) async throws -> Result {
        do {
            return try await commits.write(body, urgently: isUrgent, undone: isUndone)
        } catch {
            throw portError(error)
        }
    }

    /// The number of commits that changed an app or a key. It is never nil, because no other process changes them while
    /// this one serves with the file (``ServingLock``). Only operators' keys may be replaced by another process.
    package var accessVersion: Int? { commits.accessVersion }

    /// What the store knows of itself. It reads the file system and never the database.
    package var health: StoreHealth {
        var health = StoreHealth()
        health.waitingWrites = commits.waiting
        (health.busySeconds, health.stalledSeconds) = (commits.busySeconds, commits.stalledSeconds)
        health.isInTrouble = commits.trouble != nil
        health.hasFullDisk = commits.isDiskFull
        health.freeBytes = freeBytes
        health.walBytes = walBytes
        health.schema = database.schema
        return health
    }

    /// Checks what the last commits say: that the writer makes progress, and that the database took them.
    ///
    /// It takes no turn on the writer. Only if something is wrong, it looks whether that is over, and waits for that
    /// no longer than ``Recheck/patience``. Otherwise a server without calls would never count as ready again.
    ///
    /// - Throws: `diskFull`, `databaseBusy`, and `unavailable` with the reason.
    package func check() async throws {
        guard !commits.isClosed else { throw EyotError(.unavailable, "the server is stopping") }
        guard commits.stalledSeconds <= StoreHealth.longestBusy else {
            throw EyotError(.unavailable, "the database's writer has finished nothing for more than 10 seconds")
        }
        guard commits.trouble != nil else { return }
        await recheck.run { await self.lookAgain() }
        if let trouble = commits.trouble { throw trouble.unready }
    }

    /// Forgets what is over of that which kept the database from taking writes.
    private func lookAgain() async {
        do {
            guard hasRoom || !commits.isDiskFull else { return }
            try database.tryWriting()
            commits.noteOutage(nil)
            commits.noteFailure(nil)
            commits.clear(.diskFull)
        } catch {
            // Another process holds the file, unless this one's writer does.
            if let error = error as? StoreError, error.isOutage, !commits.isWorking { commits.noteOutage(error) }
            return
        }
        await commits.retryRefused()
    }

    /// Folds the log into the file and empties it, so that it no longer holds what was removed. While a reader uses an
    /// older state of the file, this is tried again for a second. After that the log is folded as it grows.
    package func foldLog() async throws {
        for _ in 0..<Self.foldAttempts {
            if try await database.foldWholeLog() { return }
            try await Task.sleep(for: Self.foldPause)
        }
    }

    private static let foldAttempts = 20
    private static let foldPause = Duration.milliseconds(50)

    /// Bytes that must be free before the server counts as ready again. It is more than one transaction writes.
    private static let leastRoom = 8 * 1_024 * 1_024

    private var hasRoom: Bool {
        // If the file system does not report its free room, the write alone decides.
        freeBytes.map { $0 >= Self.leastRoom } ?? true
    }

    private var freeBytes: Int? {
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: database.writer.path)
        return (attributes?[.systemFreeSize] as? NSNumber)?.intValue
    }

    /// Nil if there is no log, as in a database in memory.
    private var walBytes: Int? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: database.writer.path + "-wal")
        return (attributes?[.size] as? NSNumber)?.intValue
    }

    /// The error that a caller of the store gets. Errors with a code in the catalogue become an ``EyotError``.
    private func portError(_ error: any Error) -> any Error {
        switch error as? StoreError {
        case .diskFull: EyotError(.diskFull, "the disk of the database is full, and the call has changed nothing")
        case .interrupted: Self.tooCostly(commits.limits.search / .seconds(1))
        case .refused(.held, _): EyotError.databaseBusy
        case .some(let error) where error.isRefusal: EyotError.databaseRefuses
        default: error
        }
    }

    /// How many writes wait for their transaction to begin.
    package var waitingWrites: Int { commits.waiting }

    /// What has been committed, for measurements.
    package var committed: CommitTally { commits.tally }

    /// How many statements the writer has run, for measurements.
    package func statementsRun() async throws -> Int {
        try await database.writer.writeWithoutTransaction(GRDBConnection.statementsRun)
    }

    /// Refuses further writes, finishes the queued ones, and closes the file.
    package func close() async throws {
        await commits.finish()
        hints.finish()
        try database.close()
    }
}
