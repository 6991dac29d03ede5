import EyotDomain
import EyotStore
import Foundation
import GRDB

/// The store in one file of SQLite's: readers on snapshots, and one writer that commits many requests together.
package final class SQLiteStore: Store {
    /// How many commits' hints wait for their consumer before the oldest are dropped.
    static let hintLimit = 1_024

    /// Seconds for which one search may go on.
    package static let longestSearch = 5.0

    package let woken: AsyncStream<[ActivityID]>
    private let database: SQLiteDatabase
    private let commits: GroupCommit
    private let searches = SearchTurns(limit: SQLiteDatabase.searchers - 1)
    private let longestSearch: Double
    private let hints: AsyncStream<[ActivityID]>.Continuation

    /// - Parameters:
    ///   - limits: what the writer may take on at once.
    ///   - longestSearch: in seconds.
    package init(
        _ database: SQLiteDatabase, limits: GroupCommitLimits = GroupCommitLimits(),
        longestSearch: Double = SQLiteStore.longestSearch
    ) {
        self.database = database
        self.longestSearch = longestSearch
        let (woken, hints) = AsyncStream.makeStream(
            of: [ActivityID].self, bufferingPolicy: .bufferingNewest(Self.hintLimit))
        (self.woken, self.hints) = (woken, hints)
        commits = GroupCommit(database, limits: limits) { activities in
            hints.yield(activities.sorted { $0.rawValue < $1.rawValue })
        }
    }

    package func read<Result: Sendable>(
        _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        do {
            return try await database.writer.read { try body(SQLLedger(GRDBConnection($0))) }
        } catch {
            // A caller that has gone interrupts its statement.
            try Task.checkCancellation()
            return try translated { throw error }
        }
    }

    package func search<Result: Sendable>(
        of app: AppID, _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        let (reader, time) = (database.searcher, Duration.seconds(longestSearch))
        do {
            return try await searches.search(of: app) {
                try await reader.read { database in
                    try StatementDeadline.within(time, on: database) { try body(SQLLedger(GRDBConnection(database))) }
                }
            }
        } catch {
            // A caller that has gone interrupts its statement.
            try Task.checkCancellation()
            let error = (error as? DatabaseError).map(StoreError.init) ?? error
            throw error as? StoreError == .interrupted ? Self.tooCostly(longestSearch) : error
        }
    }

    private static func tooCostly(_ seconds: Double) -> EyotError {
        EyotError(.audienceTooCostly, "finding its devices takes longer than \(seconds) seconds", field: "audience")
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
        try await withCheckedThrowingContinuation { continuation in
            commits.submit(
                QueuedWrite(
                    run: { ledger in
                        let result = try body(ledger)
                        return { continuation.resume(returning: result) }
                    },
                    fail: { continuation.resume(throwing: self.portError($0)) }, isUndone: isUndone),
                urgently: isUrgent)
        }
    }

    /// No other process changes apps or their keys while this one serves with the file (``ServingLock``). Operators' keys may be
    /// replaced by one.
    package var accessVersion: Int? { commits.accessVersion }

    /// Reads a row and makes an empty commit, so that both ways are known to be open.
    ///
    /// An empty commit needs no room on the disk. After a write that found the disk full, this writes one page and
    /// asks for
    /// room for more.
    ///
    /// - Throws: `diskFull`, and what the database says.
    package func check() async throws {
        _ = try await read { try $0.apps() }
        try await write { _ in }
        guard commits.isDiskFull else { return }
        do {
            guard hasRoom else { throw StoreError.diskFull }
            // Eyot does not use this number, and SQLite writes its page whether the number changes or not.
            try await database.writer.writeWithoutTransaction { database in
                try translated { try database.execute(sql: "PRAGMA user_version = 0") }
            }
            commits.noteDisk(isFull: false)
        } catch {
            throw portError(error)
        }
    }

    /// Folds the log into the file and empties it, so that what was removed is not read in it. Where somebody reads
    /// what the file held before, that is tried again for a second; after it the log is folded as it grows.
    package func foldLog() async throws {
        for _ in 0..<Self.foldAttempts {
            if try await database.foldWholeLog() { return }
            try await Task.sleep(for: Self.foldPause)
        }
    }

    private static let foldAttempts = 20
    private static let foldPause = Duration.milliseconds(50)

    /// Bytes that the disk must have free before a server on it counts as ready again: more than one transaction
    /// writes.
    private static let leastRoom = 8 * 1_024 * 1_024

    private var hasRoom: Bool {
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: database.writer.path)
        // A file system that does not say how much is free is judged by the write alone.
        guard let free = attributes?[.systemFreeSize] as? NSNumber else { return true }
        return free.intValue >= Self.leastRoom
    }

    /// The error that a caller of the store gets: these have codes of their own in the catalogue.
    private func portError(_ error: any Error) -> any Error {
        switch error as? StoreError {
        case .diskFull: EyotError(.diskFull, "the disk of the database is full, and the call has changed nothing")
        case .interrupted: Self.tooCostly(commits.limits.search / .seconds(1))
        default: error
        }
    }

    /// Writes that wait for their transaction to begin.
    package var waitingWrites: Int { commits.waiting }

    /// What has been committed: what a measurement counts.
    package var committed: CommitTally { commits.tally }

    /// Statements that the writer has run: what a measurement counts.
    package func statementsRun() async throws -> Int {
        try await database.writer.writeWithoutTransaction(GRDBConnection.statementsRun)
    }

    /// Takes no more writes, finishes those that are queued, and closes the file.
    package func close() async throws {
        await commits.finish()
        hints.finish()
        try database.close()
    }
}
