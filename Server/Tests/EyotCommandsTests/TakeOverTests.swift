import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@Suite("A phone that shows another device's start token")
struct TakeOverTests {
    private let ledger = MemoryLedger()
    private let now = Instant(second: 1_700_000_000)
    private let app: App
    private let former: DeviceID
    private let device: DeviceID
    private let token: PushToken

    /// Two devices, of which the first has the token, and an activity that has been declared once.
    init() throws {
        app = ledger.insertApp(bundleID: "org.example.match", name: "Test", publicKey: "k", at: now)
        token = try #require(PushToken(bytes: [1, 2]))
        let devices = ["old", "new"].map { [ledger, app, now] in
            ledger.insert(
                NewDevice(
                    app: app.id, installation: $0, environment: .sandbox, osVersion: OSVersion(18), appVersion: "1",
                    permissions: DevicePermissions(activities: true, frequentPushes: true), createdAt: now)
            ).id
        }
        (former, device) = (devices[0], devices[1])
        ledger.put(
            StartToken(device: former, type: "Match", token: token, environment: .sandbox, setAt: now), in: app.id)
        try declare(1)
    }

    /// A start for everyone who can be started.
    private func declare(_ state: Int, name: String = "final", type: String = "Match") throws {
        var request = DeclarationRequest(verb: .put, name: name, content: Content(state: ["n": .integer(state)]))
        (request.type, request.attributes, request.audience) = (type, [:], .all)
        _ = try Declare(ledger: ledger, app: app.id, now: now)(request)
    }

    private func change(_ body: (inout Replica) -> Void) throws {
        var replica = try #require(try places().first)
        body(&replica)
        ledger.update(replica)
    }

    private func report(_ actions: DeviceChange.Action...) throws {
        let sequence = try #require(ledger.device(device)).sequence
        let changes = actions.enumerated().map { DeviceChange(sequence: sequence + $0 + 1, action: $1) }
        _ = try ApplyChanges(ledger: ledger, now: now + 60)(
            DeviceChangeBatch(epoch: 1, changes: changes), of: device)
    }

    private func places() throws -> [Replica] {
        let final = try #require(ledger.newestActivity(named: "final", in: app.id))
        return ledger.replicas(of: final.id, after: 0, limit: .max)
    }

    @Test(arguments: [Lease.State.accepted, .unknown, .planned])
    func `takes its start along, and is not started twice (R6)`(state: Lease.State) throws {
        try change { replica in
            replica.lease?.state = state
            if state != .planned { replica.lease?.sentAt = now }
            replica.scoped = 1
        }
        try report(.setStartToken(type: "Match", token: token))
        try declare(2)
        let places = try places()
        #expect(places.map(\.device) == [former, device])
        #expect(places.map(\.phase) == [.notStarted(.givenUp), .starting])
        #expect(places.last?.lease?.state == state)
        try report(.cardSeen(Card(instance: "card", name: "final", type: "Match")))
        let card = try #require(ledger.replica(ofInstance: "card", on: device))
        #expect((card.ordinal, card.scoped) == (2, 1))
    }

    @Test func `leaves it the start whose answer is awaited`() throws {
        try change { $0.lease?.state = .sent }
        try report(.setStartToken(type: "Match", token: token))
        #expect(try places().map(\.phase) == [.starting])
    }

    @Test func `takes its dismissals along (R13)`() throws {
        try change { ($0.phase, $0.lease, $0.instance) = (.dismissed, nil, "card") }
        try report(.setStartToken(type: "Match", token: token))
        try declare(2)
        #expect(try places().map(\.phase) == [.dismissed, .dismissed])
    }

    @Test func `takes nothing of an activity of which it has spoken itself`() throws {
        try change { $0.lease?.state = .accepted }
        try report(.cardSeen(Card(instance: "own", name: "final", type: "Match")))
        try report(.setStartToken(type: "Match", token: token))
        #expect(try places().map(\.phase) == [.starting, .waitingForToken])
    }

    /// A phone has one start token for all types, and shows it for one after the other.
    @Test func `takes along what it has of every type with the first that it shows the token for`() throws {
        ledger.put(
            StartToken(device: former, type: "Order", token: token, environment: .sandbox, setAt: now), in: app.id)
        try declare(1, name: "order", type: "Order")
        let order = try #require(ledger.newestActivity(named: "order", in: app.id))
        try report(.setStartToken(type: "Match", token: token))
        #expect(ledger.replicas(of: order.id, after: 0, limit: .max).map(\.device) == [former, device])
        #expect(ledger.startToken(of: device, type: "Order")?.token == token)
        #expect(ledger.startTokens(of: former) == [])
    }

    @Test func `takes its start along also where it speaks of the card before it shows the token`() throws {
        try change { replica in
            replica.lease?.state = .accepted
            replica.lease?.sentAt = now
            replica.scoped = 1
        }
        let card = Card(instance: "card", name: "final", type: "Match")
        try report(.cardSeen(card), .setStartToken(type: "Match", token: token))
        let known = try #require(ledger.replica(ofInstance: "card", on: device))
        #expect((known.ordinal, known.scoped) == (2, 1))
    }

    @Test(
        "What was to start for a phone's former user is not started for the next one (R12)", arguments: [true, false])
    func callsOff(isPublic: Bool) throws {
        try report(.setStartToken(type: "Match", token: token), .identify(user: "anna"))
        var request = DeclarationRequest(verb: .put, name: "order", content: Content(state: ["n": 1]))
        (request.type, request.attributes, request.audience) = ("Match", [:], .user("anna"))
        (request.startsAt, request.isPublic) = (now + 600, isPublic)
        _ = try Declare(ledger: ledger, app: app.id, now: now)(request)
        let order = try #require(ledger.newestActivity(named: "order", in: app.id))
        #expect(ledger.replica(1, of: order.id)?.phase == .starting)
        try report(.logout, .identify(user: "bert"))
        let phase = try #require(ledger.replica(1, of: order.id)?.phase)
        #expect(phase == (isPublic ? .starting : .notStarted(.otherPerson)))
    }
}
