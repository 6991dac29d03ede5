import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@testable import EyotCommands

@Suite("Whoever is in a scope, and waits for the place that a start is to keep")
struct ComersTests {
    private let ledger = MemoryLedger()
    private let now = Instant(second: 1_671_375_600)
    private let app: AppID
    private let start: EyotDomain.Operation

    /// Six phones, the first four of which are fans'. A start has told the first two.
    init() throws {
        app = ledger.insertApp(bundleID: "org.example.match", name: "Test", publicKey: "k", at: now).id
        ledger.put(User(app: app, externalID: "fan", tags: ["fans"]))
        for number in 1...6 {
            let device = ledger.insert(
                NewDevice(
                    app: app, installation: "phone-\(number)", environment: .sandbox, osVersion: OSVersion(18),
                    appVersion: "\(number)", permissions: DevicePermissions(activities: true, frequentPushes: true),
                    user: number < 5 ? "fan" : nil, createdAt: now))
            let token = try #require(PushToken(bytes: [1, UInt8(number)]))
            ledger.put(
                StartToken(device: device.id, type: "Match", token: token, environment: .sandbox, setAt: now), in: app)
        }
        var request = DeclarationRequest(
            verb: .put, name: "final",
            content: Content(state: ["n": 1], startAlert: AlertText(["title": "Kick-off", "body": "b"])))
        (request.type, request.attributes, request.audience) = ("Match", [:], .all)
        var limits = Declare.Limits()
        limits.inlineLimit = 2
        start = try Declare(Transaction(ledger, at: now), app: app, limits: limits)(request)
    }

    private func request(_ verb: DeclarationRequest.Verb = .update, for scope: Audience? = .tag("fans"))
        -> DeclarationRequest
    {
        var request = DeclarationRequest(verb: verb, name: "final", content: Content(state: ["n": 2]))
        request.scope = scope
        return request
    }

    private func frozen(_ request: DeclarationRequest, limit: Int = MemberList.limit, inlineLimit: Int = 9) throws
        -> FrozenMembers
    {
        try FreezeMembers(Transaction(ledger, at: now), app: app, limit: limit, inlineLimit: inlineLimit)(request)
    }

    private func declare(_ request: DeclarationRequest, _ frozen: FrozenMembers? = nil) throws -> EyotDomain.Operation {
        try Declare(Transaction(ledger, at: now), app: app, frozen: frozen)(request)
    }

    private func process(_ list: MemberList, limit: Int? = nil) throws {
        try ProcessMembers(Transaction(ledger, at: now))(list.id, limit: limit)
    }

    private func tellAll() throws {
        while let list = ledger.memberLists(after: 0, limit: 1).first { try process(list) }
    }

    private func activity() throws -> Activity { try #require(ledger.newestActivity(named: "final", in: app)) }

    /// The newest state for each phone alone, by its number.
    private func scoped() throws -> [Int64: Int] {
        let places = ledger.replicas(of: try activity().id, after: 0, limit: .max)
        return Dictionary(uniqueKeysWithValues: places.map { ($0.device.rawValue, $0.scopedState) })
    }

    private func numbers(_ group: FrozenMembers.Group) -> [Int64] {
        group.first + group.others.flatMap { MemberRuns.numbers(in: $0.bytes, after: 0, limit: .max) ?? [] }
    }

    @Test(arguments: [1, 2, 4, MemberList.limit])
    func `is found with those who have one, however many are read at a time`(_ limit: Int) throws {
        let pendingStarts = try FreezeMembers(Transaction(ledger, at: now), app: app, limit: limit).pendingStarts(
            to: activity().id, in: .tag("fans"))
        #expect(pendingStarts == [3, 4])
        let scope = try frozen(request())
        #expect(numbers(scope.replicas) == [1, 2])
        #expect(numbers(scope.pendingStarts) == [3, 4])
        #expect(scope.nextOrdinal == 3)
        #expect(try frozen(request(for: .user("nobody"))).inScope == 0)
    }

    @Test func `counts as a member: one call takes no more than the limit says`() throws {
        #expect(try frozen(request(), limit: 4).inScope == 4)
        let error = #expect(throws: EyotError.self) { try frozen(request(), limit: 3) }
        #expect(error?.code == .tooManyMembers)
        #expect(error?.field == "scope")
    }

    @Test func `is told when the place has been kept, and not before`() throws {
        let update = try declare(request())
        #expect(update.members == 4)
        #expect(update.pending == 2)
        #expect(try activity().pendingScopes == 1)
        let lists = ledger.memberLists(after: 0, limit: 9)
        try #require(lists.map(\.purpose).last == .pendingStarts(first: 3))
        try process(lists[1])
        #expect(ledger.memberLists(after: 0, limit: 9) == lists)
        try process(lists[0], limit: 1)
        try process(lists[1])
        #expect(try scoped() == [1: 2, 2: 2, 3: 2])
        #expect(ledger.operation(update.id, in: app)?.pending == 1)
        try tellAll()
        #expect(try scoped() == [1: 2, 2: 2, 3: 2, 4: 2, 5: 0, 6: 0])
        let told = try #require(ledger.operation(update.id, in: app))
        #expect((told.members, told.pending) == (4, 0))
        #expect(try activity().pendingScopes == 0)
    }

    @Test func `is no member any more where the start gives no card`() throws {
        let update = try declare(request())
        ledger.removeStartToken(of: DeviceID(rawValue: 4), type: "Match")
        try tellAll()
        #expect(ledger.operation(update.id, in: app)?.members == 3)
        #expect(ledger.operation(start.id, in: app)?.skipped == [.noStartToken: 1])
    }

    @Test func `is frozen: who leaves the scope before the place is kept is told, and who joins it is not`() throws {
        _ = try declare(request())
        for (number, user) in [(3, nil), (5, "fan")] {
            var device = try #require(ledger.device(DeviceID(rawValue: Int64(number))))
            device.user = user
            ledger.update(device)
        }
        try tellAll()
        #expect(try scoped() == [1: 2, 2: 2, 3: 2, 4: 2, 5: 0, 6: 0])
    }

    @Test func `is told, too, where the place was kept between reading and writing`() throws {
        let scope = try frozen(request())
        try tellAll()
        let update = try declare(request(), scope)
        #expect(update.pending == 2)
        try tellAll()
        #expect(try scoped() == [1: 2, 2: 2, 3: 2, 4: 2, 5: 0, 6: 0])
    }

    @Test func `may be on one list of two that a call has, and is counted with those of the other`() throws {
        let scope = try frozen(request(), inlineLimit: 1)
        let update = try declare(request(), scope)
        #expect(update.pending == 3)
        #expect(try activity().pendingScopes == 2)
        let lists = ledger.memberLists(after: 0, limit: 9)
        try #require(lists.map(\.purpose).suffix(2) == [.scope, .pendingStarts(first: 3)])
        try process(lists[1])
        #expect(ledger.operation(update.id, in: app)?.pending == 2)
        #expect(ledger.memberLists(after: 0, limit: 9) == [lists[0], lists[2]])
        try tellAll()
        #expect(ledger.operation(update.id, in: app)?.pending == 0)
        #expect(try activity().pendingScopes == 0)
    }

    @Test func `is ended where the place was kept after the end`() throws {
        _ = try declare(request(.end))
        try tellAll()
        let places = ledger.replicas(of: try activity().id, after: 0, limit: .max)
        #expect(places.map { $0.ending == .declared(version: 2) } == [true, true, true, true, false, false])
    }

    @Test func `is none of an earlier call's where a later start keeps the place first`() throws {
        _ = try declare(request(.end))
        var more = DeclarationRequest(verb: .start, name: "final", content: Content(state: ["n": 3]))
        (more.type, more.attributes, more.audience) = ("Match", [:], .device(DeviceID(rawValue: 3)))
        _ = try declare(more)
        try tellAll()
        let place = ledger.replicas(of: try activity().id, after: 2, limit: 1).first
        #expect(place?.device == DeviceID(rawValue: 3))
        #expect(place?.ending == nil)
    }

    @Test func `is not started where the activity ends, and the list comes to its end, too`() throws {
        let update = try declare(request())
        _ = try declare(request(.end, for: nil))
        try tellAll()
        #expect(ledger.memberLists(after: 0, limit: 9) == [])
        let told = try #require(ledger.operation(update.id, in: app))
        #expect((told.members, told.pending) == (2, 0))
        #expect(ledger.operation(start.id, in: app)?.skipped == [.overtakenByEnd: 4])
    }

    @Test func `is counted by a dry run`() async throws {
        var body = DeclarationBody(verb: .update, name: "final")
        (body.content.state, body.scope) = (["n": 2], .tag("fans"))
        let concerned = try FindConcerned(Transaction(ledger, at: now), app: app)(body)
        let count = try CountMembers(concerned, app: app, now: now)
        #expect(count.isNeeded)
        var operation = try declare(request(), concerned.frozen)
        operation.take(try await count(in: MemoryStore(), until: { false }))
        #expect((operation.members, operation.pending) == (4, 0))
    }

    @Test func `is found where the start is a call before it in the same transaction`() throws {
        var body = DeclarationBody(verb: .update, name: "second")
        (body.content.state, body.scope) = (["n": 2], .tag("fans"))
        let freeze = FreezeMembers(Transaction(ledger, at: now), app: app)
        var series = try SeriesStart(of: "second", in: app, ledger)
        let before = try freeze(body)
        series.scope = try freeze.devices(inScopeOf: body)
        var first = DeclarationRequest(verb: .start, name: "second", content: Content(state: ["n": 1]))
        (first.type, first.attributes, first.audience) = ("Match", [:], .all)
        var limits = Declare.Limits()
        limits.inlineLimit = 2
        _ = try Declare(Transaction(ledger, at: now), app: app, limits: limits)(first)
        let scope = try #require(try freeze.adding(since: series, to: before, of: body))
        #expect(numbers(scope.replicas) == [1, 2])
        #expect(numbers(scope.pendingStarts) == [3, 4])
        #expect(try freeze.adding(since: series, to: scope, of: body)?.inScope == 4, "each once")
    }

    @Test func `has to be able to show what is declared`() throws {
        #expect(try frozen(request()).builds.scope == [])
        ledger.put(TypeSchema(app: app, type: "Match", build: "1", json: [], pushedAt: now))
        #expect(try frozen(request()).builds.scope == ["1", "2", "3", "4"])
    }
}
