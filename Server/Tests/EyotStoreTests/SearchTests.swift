import EyotDomain
import EyotTestKit
import Synchronization
import Testing

@testable import EyotSQLite
@testable import EyotStore

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
        let turn = try await turns.take(app, for: .question)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0...SearchTurns.waitingLimit {
                group.addTask {
                    await turns.giveBack(try await turns.take(app, for: .question))
                }
            }
            // All but one wait, in whatever order they came.
            let error = await #expect(throws: EyotError.self) { try await group.next() }
            #expect(error?.code == .tooManyCalls)
            // As many declarations may wait too.
            group.addTask {
                await turns.giveBack(try await turns.take(app, for: .declaration))
            }
            await Self.wait(for: 1, .declaration, of: app, in: turns)
            await turns.giveBack(turn)
            try await group.waitForAll()
        }
        await turns.giveBack(try await turns.take(app, for: .question))
    }

    /// Waits until a number of searches of a purpose wait.
    private static func wait(for count: Int, _ purpose: SearchPurpose, of app: AppID, in turns: SearchTurns) async {
        while await turns.waitingCount(of: app, for: purpose) < count { await Task.yield() }
    }

    /// The purposes of waiting searches in the order of their turns.
    private static func order(questions: Int, declarations: Int) async throws -> [SearchPurpose] {
        let (turns, app) = (SearchTurns(limit: 1), AppID(rawValue: 1))
        let (order, had) = AsyncStream.makeStream(of: SearchPurpose.self)
        let turn = try await turns.take(app, for: .question)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for (purpose, count) in [(SearchPurpose.question, questions), (.declaration, declarations)] {
                for _ in 0..<count {
                    group.addTask { try await turns.search(of: app, for: purpose) { _ in _ = had.yield(purpose) } }
                }
                await wait(for: count, purpose, of: app, in: turns)
            }
            await turns.giveBack(turn)
            try await group.waitForAll()
            had.finish()
            return await order.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `A declaration has its turn before the questions that wait, and is not all that has turns`() async throws
    {
        #expect(
            try await Self.order(questions: 3, declarations: 1) == [.declaration, .question, .question, .question])
        let row = Array(repeating: SearchPurpose.declaration, count: SearchTurns.declarationsInARow)
        #expect(
            try await Self.order(questions: 2, declarations: row.count + 1)
                == row + [.question, .declaration, .question])
    }

    @Test func `A costly question yields its turn to a declaration once, and is asked again`() async throws {
        let folder = try TemporaryFolder()
        let store = SQLiteStore(
            try SQLiteDatabase(path: folder.path("a.db")), longestSearch: 60, leastTurn: .zero)
        let (app, flag) = (AppID(rawValue: 1), Flag())
        let (begun, question) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await store.search(of: app) { ledger in
                    question.yield()
                    try Self.ask(ledger, until: flag.isOver)
                }
                question.finish()
            }
            var runs = 0
            for await _ in begun {
                runs += 1
                guard runs == 1 else { continue }
                // It ends only because the search that runs yields its turn.
                try await store.search(of: app, for: .declaration) { _ in flag.isOver.withLock { $0 = true } }
            }
            #expect(runs == 2)
            try await group.waitForAll()
        }
        try await store.close()
    }

    @Test func `A question that is asked again keeps its turn, and so does a declaration`() async throws {
        let (turns, app) = (SearchTurns(limit: 1, leastTime: .zero), AppID(rawValue: 1))
        for (purpose, mayYield) in [(SearchPurpose.question, true), (.question, false), (.declaration, false)] {
            let turn = try await turns.take(app, for: purpose, mayYield: mayYield)
            #expect(!turn.yields(at: .now), "no declaration waits")
            async let other = turns.take(app, for: .declaration)
            await Self.wait(for: 1, .declaration, of: app, in: turns)
            #expect(turn.yields(at: .now) == mayYield)
            #expect(turn.hasYielded == mayYield)
            await turns.giveBack(turn)
            await turns.giveBack(try await other)
        }
        let patient = SearchTurns(limit: 1, leastTime: .seconds(60))
        let turn = try await patient.take(app, for: .question, mayYield: true)
        turn.want()
        #expect(!turn.yields(at: .now))
        #expect(turn.yields(at: .now + .seconds(60)))
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
