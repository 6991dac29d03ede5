import EyotDomain
import EyotLab
import EyotStore
import EyotTestKit
import Synchronization
import Testing

@testable import EyotPostgres

/// Writes of the same moment that are not in conflict with each other.
@Suite("Writers of PostgreSQL beside each other", .timeLimit(.minutes(10)))
struct RivalWriterTests {
    private static let writes = 200
    private static let span = CountSpan(width: CountSpan.hour, second: 0)
    private static let app = AppID(rawValue: 1)
    private static let sum = CountKey(app: app, activity: .ofApp, .accepted, in: span)
    private static let highest = CountKey(app: app, activity: .ofApp, .longestShown, in: span)
    private static let present = CountKey(app: app, activity: .ofApp, .accepted)

    private final class Tries: Sendable {
        private let count = Mutex(0)
        var number: Int { count.withLock { $0 } }
        func note() { count.withLock { $0 += 1 } }
    }

    private func rows(_ table: String, _ url: PostgresURL) throws -> Int {
        try url.onConnection {
            try $0.rows(SQLStatement(composed: "SELECT COUNT(*) FROM \(table)"), []) { try Int($0.number()) }[0]
        }
    }

    @Test func `Writers of several processes add to a number without a conflict, and a fold keeps it`() async throws {
        let url = try await TestPostgres.shared.database()
        let tries = Tries()
        let stores = try (0..<3).map { _ in PostgresStore(try PostgresDatabase(url)) }
        let app = try await stores[0].write {
            try $0.insertApp(bundleID: "org.example.match", name: "Test", publicKey: "k", at: Instant(second: 1)).id
        }
        #expect(app == Self.app)
        for store in stores { try await store.write { _ in } }
        // The planner now knows that the marks are few, and would rather read all of them.
        try url.onConnection { _ = try $0.execute(SQLStatement("ANALYZE commit_marks"), []) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...Self.writes {
                group.addTask {
                    try await stores[number % stores.count].write { ledger in
                        tries.note()
                        ledger.counted.add(1, to: Self.sum)
                        ledger.counted.add(number, to: Self.highest)
                        ledger.counted.add(1, to: Self.present)
                        try ledger.add(AppUsage(devices: 1), to: Self.app)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(tries.number == Self.writes, "no write ran twice")
        #expect(try rows("count_parts", url) > 2)
        func numbers() async throws -> [Int?] {
            try await stores[0].read { ledger in
                try [Self.sum, Self.highest, Self.present].map { try ledger.count(at: $0) }
                    + [ledger.usage(of: Self.app).devices]
            }
        }
        #expect(try await numbers() == Array(repeating: Self.writes, count: 4))
        while try await stores[0].write({ try $0.foldCounts(endedBy: CountSpan.hour, limit: 1) }) > 0 {}
        while try await stores[0].write({ try $0.foldUsage(limit: 3) }) > 0 {}
        #expect(try await numbers() == Array(repeating: Self.writes, count: 4))
        #expect(try rows("count_parts", url) + rows("app_usage_parts", url) == 0)
        #expect(try rows("kept_counts", url) == 3)
        for store in stores { await store.close() }
    }

    @Test func `What the engine writes in one process is never in conflict with itself`() async throws {
        let store = PostgresStore(try PostgresDatabase(await TestPostgres.shared.database()))
        let tries = Tries()
        let app = try await store.write {
            try $0.insertApp(bundleID: "org.example.match", name: "Test", publicKey: "k", at: Instant(second: 1)).id
        }
        let number = CountKey(app: app, activity: ActivityID(rawValue: 1), .accepted)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<Self.writes {
                group.addTask {
                    try await store.writeUrgently { ledger in
                        tries.note()
                        // The same row each time, as two pages of one activity have.
                        try ledger.add(1, to: number)
                    }
                }
                group.addTask { try await store.write { _ = try $0.app(app) } }
            }
            try await group.waitForAll()
        }
        #expect(try await store.read { try $0.count(at: number) } == Self.writes)
        #expect(tries.number == Self.writes, "no write ran twice")
        await store.close()
    }
}
