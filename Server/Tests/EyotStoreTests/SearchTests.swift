import EyotDomain
import EyotTestKit
import Synchronization
import Testing

@testable import EyotSQLite

/// What callers shape has connections of its own, and an end.
@Suite("Searches", .timeLimit(.minutes(10)))
struct SearchTests {
    private static let now = Instant(second: 1_700_000_000)

    /// Asks the store until the flag is put.
    private static func ask(_ ledger: any Ledger, until isOver: borrowing Mutex<Bool>) throws {
        while !isOver.withLock({ $0 }) { _ = try ledger.apps() }
    }

    private final class Flag: Sendable {
        let isOver = Mutex(false)
    }

    @Test func `A search that goes on for too long is ended, and its connection searches again`() async throws {
        let folder = try TemporaryFolder()
        let store = SQLiteStore(try SQLiteDatabase(path: folder.path("a.db")), longestSearch: 0.05)
        let app = AppID(rawValue: 1)
        for _ in 1...4 {
            let error = await #expect(throws: EyotError.self) {
                try await store.search(of: app) { try Self.ask($0, until: Flag().isOver) }
            }
            #expect(error?.code == .audienceTooCostly)
        }
        #expect(try await store.search(of: app) { try $0.apps() } == [])
        try await store.close()
    }

    @Test func `A search in a write is ended, the write is undone, and those beside it go on`() async throws {
        let folder = try TemporaryFolder()
        var limits = GroupCommitLimits()
        limits.search = .milliseconds(1)
        let store = SQLiteStore(try SQLiteDatabase(path: folder.path("a.db")), limits: limits)
        let app = try await store.write { ledger in
            let app = try ledger.insertApp(bundleID: "org.example.match", name: "", publicKey: "p", at: Self.now)
            for number in 1...2_000 { _ = try ledger.insert(.phone("\(number)", in: app.id, at: Self.now)) }
            return app.id
        }
        let costly = Audience.or((1...200).map { .appVersion("2.\($0)") })
        async let beside: Void = store.write { try $0.noteChanged(DeviceID(rawValue: 1)) }
        let error = await #expect(throws: EyotError.self) {
            try await store.write { ledger in
                try ledger.noteChanged(DeviceID(rawValue: 2))
                _ = try ledger.deviceIDs(in: costly, of: app, limit: 1)
            }
        }
        #expect(error?.code == .audienceTooCostly)
        try await beside
        #expect(try await store.read { try $0.changedDevices(limit: 9) } == [DeviceID(rawValue: 1)])
        // A search that a read makes has the time of a read.
        #expect(try await store.search(of: app) { try $0.deviceIDs(in: costly, of: app, limit: 1) } == [])
        try await store.close()
    }

    @Test func `Searches of one app wait up to a limit`() async throws {
        let turns = SearchTurns(limit: 1)
        let app = AppID(rawValue: 1)
        try await turns.take(app)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0...SearchTurns.waitingLimit {
                group.addTask {
                    try await turns.take(app)
                    await turns.giveBack(app)
                }
            }
            // All but one wait, in whatever order they came.
            let error = await #expect(throws: EyotError.self) { try await group.next() }
            #expect(error?.code == .tooManyCalls)
            await turns.giveBack(app)
            try await group.waitForAll()
        }
        try await turns.take(app)
    }

    @Test func `However much one app searches, others search, read and write meanwhile`() async throws {
        let folder = try TemporaryFolder()
        let store = SQLiteStore(try SQLiteDatabase(path: folder.path("a.db")), longestSearch: 600)
        let flag = Flag()
        try await withThrowingTaskGroup(of: Void.self) { group in
            let (begun, first) = AsyncStream.makeStream(of: Void.self)
            for _ in 1...20 {
                group.addTask {
                    try await store.search(of: AppID(rawValue: 1)) { ledger in
                        first.yield()
                        try Self.ask(ledger, until: flag.isOver)
                    }
                }
            }
            for await _ in begun { break }
            #expect(try await store.search(of: AppID(rawValue: 2)) { try $0.apps() } == [])
            for _ in 1...8 { #expect(try await store.read { try $0.apps() } == []) }
            try await store.write { _ in }
            flag.isOver.withLock { $0 = true }
            try await group.waitForAll()
        }
        try await store.close()
    }
}
