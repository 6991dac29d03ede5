import EyotDomain
import EyotStore
import EyotTestKit
import Foundation
import GRDB
import Synchronization
import Testing

@testable import EyotSQLite

@Suite("Group commit", .timeLimit(.minutes(10)))
struct GroupCommitTests {
    private let database: SQLiteDatabase
    private let commits = Commits()

    init() throws {
        database = try SQLiteDatabase()
        database.writer.add(transactionObserver: commits, extent: .databaseLifetime)
    }

    @Test func `Writes that come while one is under way share a commit with it`() async throws {
        let store = SQLiteStore(database, limits: limits(batch: 100))
        try await outcomes(of: 20, in: store).expectSuccess()
        #expect(commits.count == 1)
        #expect(try await store.read { try $0.apps().count } == 20)
    }

    @Test func `A commit holds no more writes than its limit`() async throws {
        let store = SQLiteStore(database, limits: limits(batch: 5))
        try await outcomes(of: 20, in: store).expectSuccess()
        #expect(commits.count == 5)  // 21 writes: the one that was under way is one of them
    }

    @Test func `A transaction whose time is over takes in no further write`() async throws {
        var limits = limits(batch: 100)
        limits.time = .zero
        let store = SQLiteStore(database, limits: limits)
        try await outcomes(of: 20, in: store).expectSuccess()
        #expect(commits.count == 21)
    }

    @Test func `A write that finds the queue full is answered at once, and the others are done`() async throws {
        var limits = limits(batch: 100)
        limits.queue = 3
        let store = SQLiteStore(database, limits: limits)
        let outcomes = try await outcomes(of: 3, in: store) {
            await #expect(throws: EyotError.self) { try await store.write { _ in } }
        }
        try outcomes.expectSuccess()
        #expect(try await store.read { try $0.apps().count } == 3)
    }

    @Test func `An urgent write is taken though the queue is full, and comes before those that wait`() async throws {
        var limits = limits(batch: 100)
        limits.queue = 20
        let store = SQLiteStore(database, limits: limits)
        let urgent = Mutex<Task<Int, any Error>?>(nil)
        try await outcomes(of: 20, in: store) {
            await #expect(throws: EyotError.self) { try await store.write { _ in } }
            let task = Task { try await store.writeUrgently { try $0.apps().count } }
            urgent.withLock { $0 = task }
            while store.waitingWrites < 21 {
                try Task.checkCancellation()
                await Task.yield()
            }
        }.expectSuccess()
        #expect(try await urgent.withLock(\.self)?.value == 0, "it saw nothing of those that waited")
        #expect(try await store.read { try $0.apps().count } == 20)
    }

    @Test func `However many are urgent, the others have half of each commit`() async throws {
        // The one that was waited for was the first of its commit, and not urgent; the next one begins with the others.
        #expect(try await seenByUrgent(limits(batch: 4)) == [0, 3, 4, 4, 4, 4, 4, 4])
    }

    @Test func `Where a commit has time for one write, the urgent ones and the others take turns`() async throws {
        var limits = limits(batch: 100)
        limits.time = .zero
        #expect(try await seenByUrgent(limits) == [1, 2, 3, 4, 4, 4, 4, 4])
    }

    /// How many of four that wait each of eight urgent writes comes after.
    private func seenByUrgent(_ limits: GroupCommitLimits) async throws -> [Int] {
        let store = SQLiteStore(database, limits: limits)
        let urgent = Mutex<[Task<Int, any Error>]>([])
        try await outcomes(of: 4, in: store) {
            let tasks = (0..<8).map { _ in Task { try await store.writeUrgently { try $0.apps().count } } }
            urgent.withLock { $0 = tasks }
            while store.waitingWrites < 12 {
                try Task.checkCancellation()
                await Task.yield()
            }
        }.expectSuccess()
        var seen: [Int] = []
        for task in urgent.withLock(\.self) { seen.append(try await task.value) }
        return seen.sorted()
    }

    @Test func `Where the commit fails every caller in it is told, and nothing of it is there`() async throws {
        let store = SQLiteStore(database, limits: limits(batch: 100))
        commits.failNext()
        let outcomes = try await outcomes(of: 20, in: store)
        #expect(outcomes.allSatisfy { if case .failure = $0 { true } else { false } })
        #expect(try await store.read { try $0.apps() } == [])
        try await store.write { _ = try $0.insertApp(bundleID: "b", name: "b", publicKey: "b", at: Instant(second: 0)) }
        #expect(try await store.read { try $0.apps().count } == 1)
    }

    @Test func `A body that throws undoes what it wrote and nobody else's, also where each has a savepoint by then`()
        async throws
    {
        let store = SQLiteStore(database, limits: limits(batch: 100))
        let refused = Mutex<[Task<Void, any Error>]>([])
        let kept = Mutex<[Task<Void, any Error>]>([])
        // The first one has those before it run again; the second one is in the transaction after that.
        try await outcomes(of: 5, in: store) {
            for round in 0..<2 {
                let refusal = Task { try await store.write { try insert("refused", $0, then: Refusal(round: round)) } }
                refused.withLock { $0.append(refusal) }
                try await wait(for: 6 + 2 * round, in: store)
                let success = Task { try await store.write { try insert("kept \(round)", $0) } }
                kept.withLock { $0.append(success) }
                try await wait(for: 7 + 2 * round, in: store)
            }
        }.expectSuccess()
        for (round, task) in refused.withLock(\.self).enumerated() {
            await #expect(throws: Refusal(round: round)) { try await task.value }
        }
        for task in kept.withLock(\.self) { try await task.value }
        let names = try await store.read { try $0.apps().map(\.name) }
        #expect(names.sorted() == ["0", "1", "2", "3", "4", "kept 0", "kept 1"])
        #expect(commits.count == 2)
    }

    private final class Runs: Sendable {
        let count = Atomic(0)
    }

    @Test func `What is tried out leaves nothing, wakes nobody, and has nobody's body run again`() async throws {
        let store = SQLiteStore(database, limits: limits(batch: 100))
        let runs = Runs()
        let tasks = Mutex<[Task<Void, any Error>]>([])
        try await outcomes(of: 5, in: store) {
            for number in 0..<3 {
                let counted = Task {
                    try await store.write {
                        runs.count.add(1, ordering: .relaxed)
                        try insert("counted \(number)", $0)
                    }
                }
                try await wait(for: 6 + 2 * number, in: store)
                let trial = Task {
                    try await store.tryOut {
                        try insert("tried", $0)
                        $0.woken.insert(ActivityID(rawValue: 1))
                    }
                }
                tasks.withLock { $0 += [counted, trial] }
                try await wait(for: 7 + 2 * number, in: store)
            }
        }.expectSuccess()
        for task in tasks.withLock(\.self) { try await task.value }
        #expect(runs.count.load(ordering: .relaxed) == 3)
        #expect(commits.count == 1)
        #expect(try await store.read { try $0.apps().count } == 8)
        try await store.write { _ = $0.woken.insert(ActivityID(rawValue: 2)) }
        for await woken in store.woken {
            #expect(woken == [ActivityID(rawValue: 2)])
            break
        }
    }

    private func insert(_ name: String, _ ledger: any Ledger, then error: Refusal? = nil) throws {
        _ = try ledger.insertApp(bundleID: name, name: name, publicKey: name, at: Instant(second: 0))
        if let error { throw error }
    }

    private func wait(for count: Int, in store: SQLiteStore) async throws {
        while store.waitingWrites < count {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    private struct Refusal: Error, Hashable { var round: Int }

    @Test func `A store that closes finishes what waits and refuses what comes`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("eyot.db")
        let store = SQLiteStore(try SQLiteDatabase(path: path), limits: limits(batch: 2))
        try await outcomes(of: 9, in: store).expectSuccess()
        try await store.close()
        await #expect(throws: EyotError.self) { try await store.write { _ in } }
        await #expect(throws: (any Error).self) { try await store.check() }
        for await _ in store.woken {}
        let log = try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
        #expect((log ?? 0) == 0, "the log was folded into the file")
        #expect(try SQLiteDatabase(path: path).read { try $0.apps().count } == 9)
    }

    private func limits(batch: Int) -> GroupCommitLimits {
        var limits = GroupCommitLimits()
        limits.batch = batch
        limits.time = .seconds(600)
        return limits
    }

    /// Holds the writer in one write until `count` others wait, and answers what became of those.
    private func outcomes(
        of count: Int, in store: SQLiteStore, whileWaiting: () async throws -> Void = {}
    ) async throws -> [Result<Void, any Error>] {
        let (entered, enter) = AsyncStream.makeStream(of: Void.self)
        let release = DispatchSemaphore(value: 0)
        return try await withThrowingTaskGroup(of: Result<Void, any Error>?.self) { group in
            group.addTask {
                try? await store.write { _ in
                    enter.yield()
                    release.wait()
                    // It may be run again.
                    release.signal()
                }
                return nil
            }
            for await _ in entered { break }
            for index in 0..<count {
                group.addTask {
                    do {
                        return .success(
                            try await store.write { try insert("\(index)", $0) })
                    } catch {
                        return .failure(error)
                    }
                }
            }
            try await wait(for: count, in: store)
            try await whileWaiting()
            release.signal()
            return try await group.reduce(into: []) { all, outcome in outcome.map { all.append($0) } }
        }
    }
}

extension [Result<Void, any Error>] {
    fileprivate func expectSuccess() throws { for outcome in self { try outcome.get() } }
}

/// Counts commits, and can make one fail.
private final class Commits: TransactionObserver, Sendable {
    private struct Refused: Error {}
    private let state = Mutex((count: 0, fails: false))

    var count: Int { state.withLock(\.count) }
    func failNext() { state.withLock { $0.fails = true } }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) { state.withLock { $0.count += 1 } }
    func databaseDidRollback(_ db: Database) {}
    func databaseWillCommit() throws {
        try state.withLock { state in
            defer { state.fails = false }
            if state.fails { throw Refused() }
        }
    }
}
