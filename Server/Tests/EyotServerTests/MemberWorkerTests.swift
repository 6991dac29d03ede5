import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import GRDB
import Logging
import Testing

@testable import EyotSQLite
@testable import EyotServer

@Suite("The member worker", .timeLimit(.minutes(10)))
struct MemberWorkerTests {
    private let database: SQLiteDatabase
    private let store: SQLiteStore
    private let clock = LeapingClock()

    init() throws {
        database = try SQLiteDatabase()
        store = SQLiteStore(database)
    }

    private func app(_ name: String) async throws -> AppID {
        let now = clock.now
        return try await store.write {
            try $0.insertApp(bundleID: name, name: name, publicKey: name, at: now).id
        }
    }

    /// A phone that has changed and may be started.
    private func phone(in app: AppID, tag: String = "fans") async throws -> DeviceID {
        let now = clock.now
        return try await store.write { ledger in
            try ledger.put(User(app: app, externalID: "u", tags: [tag]))
            let device = try ledger.insert(.phone("i", in: app, user: "u", at: now))
            if let token = PushToken(bytes: [1, UInt8(app.rawValue)]) {
                try ledger.put(
                    StartToken(device: device.id, type: "Match", token: token, environment: .sandbox, setAt: now),
                    in: app)
            }
            try ledger.noteChanged(device.id)
            return device.id
        }
    }

    /// Declares an activity with a live audience.
    private func open(_ audience: JSONValue, in app: AppID) async throws {
        let now = clock.now
        _ = try await store.write { ledger in
            var request = DeclarationRequest(verb: .start, name: "final", content: Content(state: ["n": 1]))
            (request.type, request.attributes) = ("Match", [:])
            request.content.alert = Alert(body: ["title": "t", "body": "b"], expiresAt: now + 300)
            // No device belongs to the activity when it is declared.
            request.audience = .devices([])
            request.live = LiveAudience.Terms(audience: audience, limit: 9)
            return try Declare(Transaction(ledger, at: now), app: app)(request)
        }
    }

    private func cards(_ device: DeviceID, in app: AppID) async throws -> Int {
        try await store.read { try $0.replicas(of: device, named: "final", in: app).count }
    }

    /// Lets it run until something holds.
    private func run(until holds: () async throws -> Bool) async throws {
        let teller = MemberWorker(
            store: store, clock: clock, pushing: PushingState(at: clock.now),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await teller.run() }
            while try await !holds() {
                try Task.checkCancellation()
                await Task.yield()
            }
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    @Test func `A list that cannot be read keeps nobody else's waiting`() async throws {
        let (one, two) = (try await app("one"), try await app("two"))
        let now = clock.now
        try await store.write { ledger in
            for app in [one, two] {
                var activity = try ledger.insertActivity(named: "m", in: app, generation: 1, type: nil, at: now)
                activity.pendingScopes = 1
                try ledger.update(activity)
                var waiting = Operation(
                    app: app, verb: .update, name: "m", activity: activity.id, generation: 1, version: 1,
                    outcome: .applied, acceptedAt: now)
                waiting.pending = 3
                let operation = try ledger.insert(waiting)
                _ = try ledger.insert(
                    MemberList(
                        app: app, activity: activity.id, version: 1, operation: operation.id, purpose: .scope,
                        acceptedAt: now), members: MemberRuns.chunks(of: [1, 2, 3]))
            }
        }
        try await database.writer.write {
            try $0.execute(sql: "UPDATE member_chunks SET members = x'80' WHERE list = 1")
        }
        try await run { try await store.read { try $0.memberListCount(of: two, limit: 1) } == 0 }
        #expect(try await store.read { try $0.memberListCount(of: one, limit: 1) } == 1)
    }

    @Test func `Who waits for a place holds up nobody who is to have one`() async throws {
        let app = try await app("one")
        let now = clock.now
        // The call tells some, a turn many more.
        let count = MemberList.inlineLimit + 2 * MemberList.plannedInlineLimit + 1
        try await store.write { ledger in
            for number in 1...count {
                let device = try ledger.insert(.phone("\(number)", in: app, at: now))
                guard let token = PushToken(bytes: [UInt8(number >> 8), UInt8(number & 255)]) else { continue }
                try ledger.put(
                    StartToken(device: device.id, type: "Match", token: token, environment: .sandbox, setAt: now),
                    in: app)
            }
        }
        try await store.write { ledger in
            var start = DeclarationRequest(verb: .start, name: "final", content: Content(state: ["n": 1]))
            (start.type, start.attributes, start.audience) = ("Match", [:], .all)
            start.content.alert = Alert(body: ["title": "t", "body": "b"], expiresAt: now + 300)
            _ = try Declare(Transaction(ledger, at: now), app: app)(start)
            var update = DeclarationRequest(verb: .update, name: "final", content: Content(state: ["n": 2]))
            update.scope = .installation("\(count)")
            _ = try Declare(Transaction(ledger, at: now), app: app)(update)
        }
        #expect(try await store.read { try $0.memberListCount(of: app, limit: 9) } == 2)
        // A pause of the worker never ends on this clock.
        clock.isHeld = true
        try await run { try await store.read { try $0.memberListCount(of: app, limit: 1) } == 0 }
    }

    @Test func `An audience that cannot be read keeps no other app's phones waiting`() async throws {
        let (one, two) = (try await app("one"), try await app("two"))
        for app in [one, two] { try await open("all", in: app) }
        try await database.writer.write {
            try $0.execute(sql: "UPDATE live_audiences SET audience = '{' WHERE app = ?", arguments: [one.rawValue])
        }
        let (poisoned, other) = (try await phone(in: one), try await phone(in: two))
        try await run { try await cards(other, in: two) == 1 }
        #expect(try await store.read { try $0.changedDevices(limit: 9) }.contains(poisoned))
    }

    @Test func `An audience that is as large as it may be is asked, for one who has changed and for all`() async throws
    {
        let (one, two) = (try await app("one"), try await app("two"))
        let selectors = (1..<Audience.selectorLimit).map { ["tag": .string("t\($0)")] as JSONValue }
        try await open(["or": .array(selectors + [["tag": "fans"]])], in: one)
        let deep = (1..<Audience.depthLimit).reduce(["tag": "fans"] as JSONValue) { inner, _ in ["and": [inner]] }
        try await open(deep, in: two)
        let now = clock.now
        for app in [one, two] {
            let device = try await phone(in: app)
            _ = try await store.write { try AdmitLiveMembers(Transaction($0, at: now)).lookAtChanged() }
            #expect(try await cards(device, in: app) == 1)
        }
    }

    @Test func `One whose segment came to nest too deep holds nobody, and stops nobody`() async throws {
        let (one, two) = (try await app("one"), try await app("two"))
        let now = clock.now
        try await store.write { _ = try PutSegment(Transaction($0, at: now), app: one)("all", audience: "all") }
        try await open(["not": ["not": ["segment": "all"]]], in: one)
        try await open("all", in: two)
        let deep = (1..<Audience.depthLimit).reduce("all" as JSONValue) { inner, _ in ["and": [inner]] }
        try await store.write { _ = try PutSegment(Transaction($0, at: now), app: one)("all", audience: deep) }
        let (first, second) = (try await phone(in: one), try await phone(in: two))
        #expect(try await store.read { try AdmitLiveMembers.unlooked(in: $0).count } == 2)
        try await run { try await store.read { try $0.changedDevices(limit: 1).isEmpty } }
        #expect(try await cards(first, in: one) == 0)
        #expect(try await cards(second, in: two) == 1)
        // A request that resolves the same audience gets the error.
        await #expect(throws: EyotError.self) {
            try await store.read { ledger in
                try ResolveAudience(Transaction(ledger, at: now), app: one)(.not(.not(.segment("all"))))
            }
        }
    }
}
