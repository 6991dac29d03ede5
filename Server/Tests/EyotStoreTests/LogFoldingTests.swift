import EyotDomain
import Foundation
import Testing

@testable import EyotSQLite

@Suite("Log folding", .timeLimit(.minutes(10)))
struct LogFoldingTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("eyot.db")
    }

    // MARK: The plan

    private static let limits = FoldLimits(from: 10, rest: 2, passes: 3)

    @Test func `A short log is left alone, a long one is folded aside once, and the writer folds the rest`() {
        var plan = FoldPlan(Self.limits)
        #expect(plan.committed(9) == .nothing)
        #expect(plan.committed(10) == .foldAside)
        #expect(plan.committed(12) == .nothing, "somebody is at it")
        plan.foldedAside()
        #expect(plan.committed(13) == .foldHere)
        #expect(plan.committed(1) == .nothing, "it has begun anew")
        #expect(plan.committed(10) == .foldAside)
    }

    @Test func `A log that could not begin anew is folded again soon, and when it has begun as late as any`() {
        var plan = FoldPlan(Self.limits)
        #expect(plan.committed(10) == .foldAside)
        plan.foldedAside()
        #expect(plan.committed(11) == .foldHere)
        #expect(plan.committed(12) == .nothing)
        #expect(plan.committed(13) == .foldAside)
        plan.foldedAside()
        #expect(plan.committed(14) == .foldHere)
        #expect(plan.committed(3) == .nothing)
        #expect(plan.committed(9) == .nothing)
        #expect(plan.committed(10) == .foldAside)
    }

    // MARK: A file

    @Test func `However much is written the log stays short, and nothing of it is lost`() async throws {
        let database = try SQLiteDatabase(path: path, folding: FoldLimits(from: 50, rest: 10, passes: 3))
        let store = SQLiteStore(database)
        for number in 0..<1_500 { try await write(number, to: store) }
        let log = try logPages()
        #expect(log < 500, "by itself SQLite folds it from 1,000 pages on")
        #expect(try await names(in: store) == 1_500)
        try await store.close()
        #expect(try SQLiteDatabase(path: path).read { try $0.apps().count } == 1_500)
    }

    @Test func `While somebody reads on it all stays readable, and it is folded afterwards`() async throws {
        let database = try SQLiteDatabase(path: path, folding: FoldLimits(from: 50, rest: 10, passes: 3))
        let store = SQLiteStore(database)
        let (entered, enter) = AsyncStream.makeStream(of: Void.self)
        let release = DispatchSemaphore(value: 0)
        async let seen = store.read { ledger in
            let before = try ledger.apps().count
            enter.yield()
            release.wait()
            return [before, try ledger.apps().count]
        }
        for await _ in entered { break }
        for number in 0..<300 { try await write(number, to: store) }
        let long = try logPages()
        release.signal()
        #expect(try await seen == [0, 0])
        for number in 300..<1_000 { try await write(number, to: store) }
        #expect(try logPages() < long + 100)
        #expect(try await names(in: store) == 1_000)
        try await store.close()
    }

    private func write(_ number: Int, to store: SQLiteStore) async throws {
        try await store.write {
            _ = try $0.insertApp(
                bundleID: "\(number)", name: "\(number)", publicKey: "\(number)", at: Instant(second: 0))
        }
    }

    private func names(in store: SQLiteStore) async throws -> Int { try await store.read { try $0.apps().count } }

    /// How long the log has ever been since it was made.
    private func logPages() throws -> Int {
        let size = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
        return (size ?? 0) / SQLiteDatabase.pageSize
    }

    @Test func `What was removed is neither in the file nor in its log once the log is folded`() async throws {
        let store = SQLiteStore(try SQLiteDatabase(path: path))
        let secret = "secret-street-2000"
        let app = try await store.write { ledger in
            let app = try ledger.insertApp(bundleID: "a", name: "a", publicKey: "k", at: Instant(second: 0)).id
            for number in 1...200 {
                try ledger.put(User(app: app, externalID: "u\(number)", attributes: ["s": .text(secret)]))
            }
            return app
        }
        func isThere() throws -> Bool {
            try [path, path + "-wal"].contains { path in
                let data = try Data(contentsOf: URL(fileURLWithPath: path))
                return data.range(of: Data(secret.utf8)) != nil
            }
        }
        try await store.foldLog()
        #expect(try isThere())
        try await store.write { ledger in for number in 1...200 { try ledger.removeUser("u\(number)", of: app) } }
        #expect(try isThere())
        try await store.foldLog()
        #expect(try !isThere())
        // It goes on as before, and folding an empty log is nothing.
        try await store.foldLog()
        try await store.write { try $0.put(User(app: app, externalID: "v", tags: ["x"])) }
        try await store.foldLog()
        #expect(try await store.read { try $0.user("v", in: app)?.tags } == ["x"])
        try await store.close()
    }
}
