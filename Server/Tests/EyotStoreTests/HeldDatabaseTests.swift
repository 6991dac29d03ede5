import EyotDomain
import EyotStore
import Foundation
import GRDB
import Synchronization
import Testing

@testable import EyotSQLite

/// Another process holds the writer of the file, as a backup by hand or an open shell does.
@Suite("A database that another process holds", .timeLimit(.minutes(10)))
struct HeldDatabaseTests {
    /// A connection of another program, which may leave its transaction open.
    private static func shell(_ folder: TemporaryFolder) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(path: folder.path("eyot.db"), configuration: configuration)
    }

    private static func add(_ name: String, to store: SQLiteStore) async throws {
        try await store.write {
            _ = try $0.insertApp(bundleID: name, name: name, publicKey: name, at: Instant(second: 0))
        }
    }

    /// Expects that the store says at once that it is held. A question that takes a turn on the writer waits for five
    /// seconds each time; on a busy machine any one answer may come late.
    private static func expectBusyAtOnce(_ store: SQLiteStore) async throws {
        var fastest = Duration.seconds(60)
        for _ in 0..<3 {
            let asked = ContinuousClock.now
            let unready = await #expect(throws: EyotError.self) { try await store.check() }
            #expect(unready?.code == .databaseBusy)
            fastest = min(fastest, asked.duration(to: .now))
        }
        #expect(fastest < .seconds(4))
    }

    @Test func `Calls get a code of their own, readiness answers at once, and the time is counted as a whole`()
        async throws
    {
        let folder = try TemporaryFolder()
        let failures = Kinds()
        let store = SQLiteStore(
            try SQLiteDatabase(path: folder.path("eyot.db")),
            observe: { report in if let failure = report.failure { failures.add(failure.kind) } })
        try await Self.add("before", to: store)
        let other = try Self.shell(folder)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }

        // Each attempt ends after five seconds, and all that wait have their answer then.
        let began = ContinuousClock.now
        let refusals = await withTaskGroup(of: EyotError?.self) { group in
            for number in 0..<20 {
                group.addTask {
                    do {
                        try await Self.add("\(number)", to: store)
                        return nil
                    } catch {
                        return error as? EyotError
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(began.duration(to: .now) < .seconds(30))
        #expect(refusals.allSatisfy { $0?.code == .databaseBusy && $0?.code.status == 503 })
        #expect(failures.all.first == "databaseBusy")

        try await Self.expectBusyAtOnce(store)
        let first = store.health.busySeconds
        #expect(first >= 4)
        await #expect(throws: EyotError.self) { try await Self.add("further", to: store) }
        #expect(store.health.busySeconds >= first + 4, "a further attempt does not begin the time anew")
        #expect(!store.health.isStuck, "a restart by the watchdog would mend nothing")

        try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        try await store.check()
        #expect(store.health.busySeconds < 1)
        try await Self.add("after", to: store)
        #expect(try await store.read { try $0.apps().map(\.name) } == ["before", "after"])
        try await store.close()
    }

    @Test func `While an attempt is under way readiness says what is known`() async throws {
        let folder = try TemporaryFolder()
        let store = SQLiteStore(try SQLiteDatabase(path: folder.path("eyot.db")))
        let other = try Self.shell(folder)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        await #expect(throws: EyotError.self) { try await Self.add("one", to: store) }
        async let second: Void = Self.add("two", to: store)
        try await Self.expectBusyAtOnce(store)
        try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        // The lock was gone in time, or the attempt had ended before.
        _ = try? await second
        try await store.check()
        try await store.close()
    }

    @Test func `A table that is missing refuses its own writes and reads, and health says so`() async throws {
        let folder = try TemporaryFolder()
        let news = Told()
        let store = SQLiteStore(try SQLiteDatabase(path: folder.path("eyot.db")), tell: { news.add($0) })
        let other = try DatabaseQueue(path: folder.path("eyot.db"))
        try await other.write { try $0.execute(sql: "ALTER TABLE apps RENAME COLUMN public_key TO other") }
        let refusal = await #expect(throws: EyotError.self) { try await Self.add("one", to: store) }
        #expect(refusal?.code == .unavailable)
        #expect(
            await #expect(throws: EyotError.self) { try await store.read { try $0.apps().count } }?.code == .unavailable
        )
        // Another write succeeds, and ends nothing.
        try await store.write { _ in }
        let unready = await #expect(throws: EyotError.self) { try await store.check() }
        #expect(unready?.detail.hasPrefix("databaseTables: ") == true)
        try await other.write { try $0.execute(sql: "ALTER TABLE apps RENAME COLUMN other TO public_key") }
        try await store.check()
        try await Self.add("two", to: store)
        #expect(news.all.map(\.kind) == ["refused databaseTables", "taken databaseTables"])
        try await store.close()
    }

    private final class Kinds: Sendable {
        private let kinds = Mutex<[String]>([])
        var all: [String] { kinds.withLock { $0 } }
        func add(_ kind: String) { kinds.withLock { $0.append(kind) } }
    }

    private final class Told: Sendable {
        private let news = Mutex<[WriteNews]>([])
        var all: [WriteNews] { news.withLock { $0 } }
        func add(_ one: WriteNews) { news.withLock { $0.append(one) } }
    }
}

extension WriteNews {
    fileprivate var kind: String {
        switch self {
        case .refused(let error): "refused \(error.kind)"
        case .taken(let kind): "taken \(kind)"
        }
    }
}
