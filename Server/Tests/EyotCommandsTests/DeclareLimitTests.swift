import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@Suite("Very many members")
struct DeclareLimitTests {
    private let now = Instant(second: 1_671_375_600)
    private let store = MemoryStore()
    private let many = MemberList.inlineLimit * 2 + 7

    /// Inserts an app with the given number of phones. If `withCards` is true, each phone has a live card of the
    /// activity.
    private func rows(phones: Int, withCards: Bool) async throws -> AppID {
        let now = now
        return try await store.write { ledger in
            let app = try ledger.insertApp(bundleID: "org.example.match", name: "Test", publicKey: "k", at: now).id
            try ledger.put(User(app: app, externalID: "fan", tags: ["fans"]))
            var final = try ledger.insertActivity(named: "final", in: app, generation: 1, type: "Match", at: now)
            try ledger.insert(final.declare(.state, Content(state: ["n": 1]), at: now))
            for number in 1...phones {
                let device = try ledger.insert(.phone("phone-\(number)", in: app, user: "fan", at: now))
                guard let token = PushToken(bytes: [1, UInt8(number >> 8), UInt8(number & 255)]) else { continue }
                guard withCards else {
                    try ledger.put(
                        StartToken(device: device.id, type: "Match", token: token, environment: .sandbox, setAt: now),
                        in: app)
                    continue
                }
                var replica = Replica(
                    activity: final.id, ordinal: number, device: device.id, phase: .live, createdAt: now)
                replica.token = UpdateToken(token: token, environment: .sandbox, version: 1, setAt: now)
                try ledger.insert(replica)
            }
            if withCards { final.nextOrdinal = phones + 1 }
            try ledger.update(final)
            return app
        }
    }

    private func declare(_ request: DeclarationRequest, in app: AppID) async throws -> EyotDomain.Operation {
        let now = now
        return try await store.write { try Declare(Transaction($0, at: now), app: app)(request) }
    }

    /// - Returns: whether a member list was left to process.
    private func process() async throws -> Bool {
        let now = now
        return try await store.write { ledger in
            guard let list = try ledger.memberLists(after: 0, limit: 1).first else { return false }
            try ProcessMembers(Transaction(ledger, at: now))(list.id)
            return true
        }
    }

    private func replicas(of app: AppID) async throws -> [Replica] {
        try await store.read { ledger in
            guard let final = try ledger.newestActivity(named: "final", in: app) else { return [] }
            return try ledger.replicas(of: final.id, after: 0, limit: .max)
        }
    }

    private func operation(_ id: Int64, in app: AppID) async throws -> EyotDomain.Operation? {
        try await store.read { try $0.operation(id, in: app) }
    }

    private func update(_ state: Int, for scope: Audience?) -> DeclarationRequest {
        var update = DeclarationRequest(verb: .update, name: "final", content: Content(state: ["n": .integer(state)]))
        update.scope = scope
        return update
    }

    private func start() -> DeclarationRequest {
        var start = DeclarationRequest(verb: .start, name: "final", content: Content(state: ["n": 2]))
        start.type = "Match"
        start.attributes = [:]
        start.audience = .tag("fans")
        return start
    }

    @Test func `One call takes no more members than the limit says`() async throws {
        let app = try await rows(phones: 4, withCards: true)
        for (request, field) in [(update(2, for: .all), "scope"), (start(), "audience")] {
            let error = await #expect(throws: EyotError.self) {
                try await store.read { _ = try FreezeMembers(Transaction($0, at: now), app: app, limit: 3)(request) }
            }
            #expect(error?.code == .tooManyMembers)
            #expect(error?.field == field)
            _ = try await store.read { try FreezeMembers(Transaction($0, at: now), app: app, limit: 4)(request) }
        }
    }

    @Test func `A large scope is told by and by, and each of its members once`() async throws {
        let app = try await rows(phones: many, withCards: true)
        let accepted = try await declare(update(2, for: .tag("fans")), in: app)
        #expect(accepted.members == many)
        #expect(accepted.pending == many - MemberList.inlineLimit)
        #expect(try await replicas(of: app).count { $0.scopedState == 2 } == MemberList.inlineLimit)
        #expect(try await process())
        #expect(try await operation(accepted.id, in: app)?.pending == 7)
        while try await process() {}
        #expect(try await replicas(of: app).allSatisfy { $0.scopedState == 2 })
        #expect(try await operation(accepted.id, in: app)?.pending == 0)
        #expect(try await operation(accepted.id, in: app)?.members == many)
    }

    @Test func `Who is told later shows what was declared for it last`() async throws {
        let app = try await rows(phones: many, withCards: true)
        _ = try await declare(update(2, for: .tag("fans")), in: app)
        let last = try #require(try await replicas(of: app).last)
        _ = try await declare(update(3, for: .device(last.device)), in: app)
        while try await process() {}
        let told = try await replicas(of: app)
        #expect(told.last?.scopedState == 3)
        #expect(told.dropLast().allSatisfy { $0.scopedState == 2 })
    }

    @Test func `A scope is frozen: who leaves it is told, and who joins it is not`() async throws {
        let app = try await rows(phones: many, withCards: true)
        let now = now
        _ = try await declare(update(2, for: .tag("fans")), in: app)
        try await store.write { ledger in
            try ledger.put(User(app: app, externalID: "fan", tags: []))
            guard var final = try ledger.newestActivity(named: "final", in: app),
                let device = try ledger.device(installation: "phone-1", in: app)
            else { return }
            try ledger.insert(
                Replica(
                    activity: final.id, ordinal: final.nextOrdinal, device: device.id, phase: .waitingForToken,
                    createdAt: now))
            final.nextOrdinal += 1
            try ledger.update(final)
        }
        while try await process() {}
        let told = try await replicas(of: app)
        #expect(told.count { $0.scopedState == 2 } == many)
        #expect(told.last?.scopedState == 0)
    }

    @Test func `A card that took a member's name is told for it, also where that was gone by then`() async throws {
        let app = try await rows(phones: many, withCards: true)
        let now = now
        _ = try await declare(update(2, for: .tag("fans")), in: app)
        let last = try #require(try await replicas(of: app).last)
        try await store.write { ledger in
            let new = Card(instance: "new", name: "final", type: "Match")
            guard let token = PushToken(bytes: [9, 9]), var former = try ledger.replica(last.ordinal, of: last.activity)
            else { return }
            former.instance = "old"
            former.appearedAt = now
            try ledger.update(former)
            let old = Card(instance: "old", name: "final", type: "Match")
            let changes = [DeviceChange.Action.setUpdateToken(new, token: token), .cardEvent(old, .dismissed)]
            let batch = DeviceChangeBatch(
                epoch: 1, changes: changes.enumerated().map { DeviceChange(sequence: $0 + 1, action: $1) })
            _ = try ApplyChanges(Transaction(ledger, at: now + 1))(batch, of: last.device)
        }
        while try await process() {}
        let told = try await replicas(of: app)
        #expect(told.count == many + 1)
        #expect(told.last?.instance == "new")
        #expect(told.last?.scopedState == 2)
        #expect(told.dropLast().last?.phase == .dismissed)
    }

    @Test func `A card that waits on a list is answered nothing older than what it will be told`() async throws {
        let app = try await rows(phones: many, withCards: true)
        let now = now
        _ = try await declare(update(1, for: nil), in: app)
        _ = try await declare(update(2, for: .tag("fans")), in: app)
        let last = try #require(try await replicas(of: app).last)
        let card = Card(instance: "card", name: "final", type: "Match")
        try await store.write { ledger in
            guard var replica = try ledger.replica(last.ordinal, of: last.activity) else { return }
            replica.instance = card.instance
            try ledger.update(replica)
        }
        let token = try #require(PushToken(bytes: [9, 9]))
        func answers(_ sequence: Int) async throws -> [[CardState]] {
            let changes = [DeviceChange(sequence: sequence, action: .setUpdateToken(card, token: token))]
            let batch = DeviceChangeBatch(epoch: 1, changes: changes)
            return try await store.write { ledger in
                var logging = AnswerArrivals(Transaction(ledger, at: now + 1))
                let logged = try logging(batch, of: last.device)?.answer
                let applied = try ApplyChanges(Transaction(ledger, at: now + 1))(batch, of: last.device)
                return [logged, applied].compactMap { $0?.cards }
            }
        }
        #expect(try await answers(1) == [[], []])
        while try await process() {}
        let told = try await answers(2)
        #expect(told.map { $0.map(\.version) } == [[3], [3]])
    }

    @Test func `A large start keeps places by and by, all with its attributes`() async throws {
        let app = try await rows(phones: many, withCards: false)
        let accepted = try await declare(start(), in: app)
        #expect(accepted.starting == MemberList.inlineLimit)
        #expect(accepted.pending == many - MemberList.inlineLimit)
        _ = try await declare(update(3, for: nil), in: app)
        while try await process() {}
        #expect(try await operation(accepted.id, in: app)?.starting == many)
        let places = try await replicas(of: app)
        #expect(places.map(\.ordinal) == Array(1...many))
        #expect(Set(places.map(\.device)).count == many)
        #expect(places.allSatisfy { $0.lease?.version == accepted.version && $0.scopedState == accepted.version })
        #expect(places.allSatisfy { $0.alertedVersion == accepted.version })
    }

    @Test func `An end calls off the places that have not been kept`() async throws {
        let app = try await rows(phones: many, withCards: false)
        let accepted = try await declare(start(), in: app)
        _ = try await declare(DeclarationRequest(verb: .end, name: "final", content: Content()), in: app)
        while try await process() {}
        let ended = try #require(try await operation(accepted.id, in: app))
        #expect(ended.starting == MemberList.inlineLimit)
        #expect(ended.skipped[.overtakenByEnd] == many - MemberList.inlineLimit)
        #expect(ended.pending == 0)
    }

    @Test func `An app has so many lists that wait, and one more call is refused`() async throws {
        let app = try await rows(phones: MemberList.inlineLimit + 1, withCards: true)
        for state in 0..<MemberList.listsPerApp { _ = try await declare(update(state, for: .all), in: app) }
        let error = await #expect(throws: EyotError.self) { try await declare(update(2, for: .all), in: app) }
        #expect(error?.code == .tooManyMembersWaiting)
        while try await process() {}
        #expect(try await declare(update(2, for: .all), in: app).outcome == .applied)
    }
}
