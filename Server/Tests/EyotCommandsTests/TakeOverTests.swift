import APNSWire
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
            ledger.insert(.phone($0, in: app.id, at: now)).id
        }
        (former, device) = (devices[0], devices[1])
        ledger.put(
            StartToken(device: former, type: "Match", token: token, environment: .sandbox, setAt: now),
            in: app.id)
        try declare(1)
    }

    /// A start for everyone who can be started.
    private func declare(_ state: Int, name: String = "final", type: String = "Match") throws {
        var request = DeclarationRequest(
            verb: .put, name: name,
            content: Content(state: ["n": .integer(state)], startAlert: AlertText(["title": "Kick-off", "body": "b"])))
        (request.type, request.attributes, request.audience) = (type, [:], .all)
        _ = try Declare(Transaction(ledger, at: now), app: app.id)(request)
    }

    private func change(_ body: (inout Replica) -> Void) throws {
        var replica = try #require(try places().first)
        body(&replica)
        ledger.update(replica)
    }

    private func report(_ actions: DeviceChange.Action...) throws {
        let sequence = try #require(ledger.device(device)).sequence
        let changes = actions.enumerated().map { DeviceChange(sequence: sequence + $0 + 1, action: $1) }
        _ = try ApplyChanges(Transaction(ledger, at: now + 60))(
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
            replica.scopedState = 1
        }
        try report(.setStartToken(type: "Match", token: token))
        try declare(2)
        let places = try places()
        #expect(places.map(\.device) == [former, device])
        #expect(places.map(\.phase) == [.notStarted(.givenUp), .starting])
        #expect(places.last?.lease?.state == state)
        try report(.cardSeen(Card(instance: "card", name: "final", type: "Match")))
        let card = try #require(ledger.replica(ofInstance: "card", on: device))
        #expect((card.ordinal, card.scopedState) == (2, 1))
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
    @Test func `takes along what it has of every type with the first that it shows the token for`()
        throws
    {
        ledger.put(
            StartToken(device: former, type: "Order", token: token, environment: .sandbox, setAt: now),
            in: app.id)
        try declare(1, name: "order", type: "Order")
        let order = try #require(ledger.newestActivity(named: "order", in: app.id))
        try report(.setStartToken(type: "Match", token: token))
        #expect(ledger.replicas(of: order.id, after: 0, limit: .max).map(\.device) == [former, device])
        #expect(ledger.startToken(of: device, type: "Order")?.token == token)
        #expect(ledger.startTokens(of: former) == [])
    }

    @Test func `takes its start along also where it speaks of the card before it shows the token`()
        throws
    {
        try change { replica in
            replica.lease?.state = .accepted
            replica.lease?.sentAt = now
            replica.scopedState = 1
        }
        let card = Card(instance: "card", name: "final", type: "Match")
        try report(.cardSeen(card), .setStartToken(type: "Match", token: token))
        let known = try #require(ledger.replica(ofInstance: "card", on: device))
        #expect((known.ordinal, known.scopedState) == (2, 1))
    }

    /// Plans a start for later that is for these users alone.
    private func plan(for users: [String], isPublic: Bool = false) throws -> ActivityID {
        var request = DeclarationRequest(
            verb: .put, name: "order",
            content: Content(state: ["n": 1], startAlert: AlertText(["title": "Kick-off", "body": "b"])))
        (request.type, request.attributes, request.audience) = ("Match", [:], .users(users))
        (request.startsAt, request.isPublic) = (now + 600, isPublic)
        _ = try Declare(Transaction(ledger, at: now), app: app.id)(request)
        return try #require(ledger.newestActivity(named: "order", in: app.id)).id
    }

    @Test(
        "What was to start for a phone's former user is not started for the next one (R12)",
        arguments: [true, false])
    func callsOff(isPublic: Bool) throws {
        try report(.setStartToken(type: "Match", token: token), .identify(user: "anna"))
        let order = try plan(for: ["anna"], isPublic: isPublic)
        #expect(ledger.replica(1, of: order)?.phase == .starting)
        try report(.logout, .identify(user: "bert"))
        let phase = try #require(ledger.replica(1, of: order)?.phase)
        #expect(phase == (isPublic ? .starting : .notStarted(.otherPerson)))
        // The place that was kept for another person opens nothing.
        let card = Card(instance: "card", name: "order", type: "Match")
        try report(.cardSeen(card))
        #expect((ledger.replica(ofInstance: "card", on: device) != nil) == isPublic)
    }

    @Test func `nor where so many are named that not all are kept`() throws {
        try report(.setStartToken(type: "Match", token: token), .identify(user: "zoe"))
        let order = try plan(for: (0..<Activity.memberLimit).map { "user-\($0)" } + ["zoe"])
        try report(.logout, .identify(user: "bert"))
        #expect(ledger.replica(1, of: order)?.phase == .notStarted(.otherPerson))
    }

    @Test func `nor where the phone says so by registering again`() throws {
        let register = RegisterDevice(Transaction(ledger, at: now))
        let fresh = Keyring.make(.deviceSecret)
        func registration(of user: String) -> DeviceRegistration {
            DeviceRegistration(
                installation: "phone", environment: .sandbox, bundleID: app.bundleID, osVersion: "18.0",
                appVersion: "1",
                sdkVersion: "1", permissions: DevicePermissions(activities: true, frequentPushes: true),
                user: user)
        }
        let known = try register(registration(of: "anna"), of: app, known: nil, fresh: fresh)
        let id = DeviceID(rawValue: try #require(Int64(known.device)))
        ledger.put(
            StartToken(device: id, type: "Match", token: token, environment: .sandbox, setAt: now),
            in: app.id)
        let order = try plan(for: ["anna"])
        _ = try register(registration(of: "bert"), of: app, known: known.secret, fresh: fresh)
        #expect(ledger.replica(1, of: order)?.phase == .notStarted(.otherPerson))
    }

    @Test(
        "A major update of the system takes start tokens back until the phone shows one", arguments: ["18.4", "26.0"])
    func updates(osVersion: String) throws {
        let register = RegisterDevice(Transaction(ledger, at: now))
        let fresh = Keyring.make(.deviceSecret)
        func registration(_ osVersion: String) -> DeviceRegistration {
            DeviceRegistration(
                installation: "phone", environment: .sandbox, bundleID: app.bundleID, osVersion: osVersion,
                appVersion: "1", sdkVersion: "1",
                permissions: DevicePermissions(activities: true, frequentPushes: true), user: nil)
        }
        let known = try register(registration("18.0"), of: app, known: nil, fresh: fresh)
        let id = DeviceID(rawValue: try #require(Int64(known.device)))
        ledger.put(
            StartToken(device: id, type: "Match", token: token, environment: .sandbox, setAt: now), in: app.id)
        _ = try register(registration(osVersion), of: app, known: known.secret, fresh: fresh)
        #expect(ledger.startTokens(of: id).map(\.type) == (osVersion == "18.4" ? ["Match"] : []))
    }

    @Test func `nor where another person's phone shows the token of the one that it was planned for`()
        throws
    {
        var imported = try #require(ledger.device(former))
        imported.user = "anna"
        ledger.update(imported)
        let order = try plan(for: ["anna"])
        try report(.identify(user: "bert"))
        try report(.setStartToken(type: "Match", token: token))
        let places = ledger.replicas(of: order, after: 0, limit: .max)
        #expect(places.map(\.device) == [former, device])
        #expect(places.last?.phase == .notStarted(.otherPerson))
    }

    @Test(arguments: [true, false])
    func `nor where one report shows the token and says only then whose phone it is`(isLogout: Bool) throws {
        var imported = try #require(ledger.device(former))
        imported.user = "anna"
        ledger.update(imported)
        let order = try plan(for: ["anna"])
        if isLogout { try report(.identify(user: "bert")) }
        try report(.setStartToken(type: "Match", token: token), isLogout ? .logout : .identify(user: "bert"))
        let places = ledger.replicas(of: order, after: 0, limit: .max)
        #expect(places.map(\.device) == [former, device])
        #expect(places.last?.phase == .notStarted(.otherPerson))
    }

    /// Changes the only place of an activity.
    private func change(in activity: ActivityID, _ body: (inout Replica) -> Void) throws {
        var replica = try #require(ledger.replica(1, of: activity))
        body(&replica)
        ledger.update(replica)
    }

    @Test func `nor where Apple has refused it, when the app is resumed`() throws {
        try report(.setStartToken(type: "Match", token: token), .identify(user: "anna"))
        let order = try plan(for: ["anna"])
        try change(in: order) { $0.phase = .notStarted(.suspected) }
        try report(.logout, .identify(user: "bert"))
        #expect(ledger.replica(1, of: order)?.phase == .notStarted(.otherPerson))
        _ = try ResumeApp(Transaction(ledger, at: now))(app.id)
        #expect(ledger.replica(1, of: order)?.phase == .notStarted(.otherPerson))
    }

    @Test(
        "nor once more where Apple says that it has not led to a card",
        arguments: [.notProcessed, .refused(.tooManyRequests), .refused(.badDeviceToken)]
            as [PushVerdict],
        [true, false])
    func callsOffSent(_ verdict: PushVerdict, isProbe: Bool) throws {
        try report(.setStartToken(type: "Match", token: token), .identify(user: "anna"))
        let order = try plan(for: ["anna"])
        try change(in: order) { replica in
            replica.lease?.state = .sent
            replica.lease?.sentAt = now
            if isProbe { replica.lease?.suspicion = .badDeviceToken }
        }
        try report(.logout, .identify(user: "bert"))
        var replica = try #require(ledger.replica(1, of: order))
        #expect(replica.lease?.state == .sent, "its answer is awaited")
        let push = Push(
            event: .start, version: 1, stateVersion: 1, alertVersion: 0, priority: .immediate)
        var tally = Tally()
        _ = replica.settle(
            SentPush(ordinal: 1, push: push, tokenVersion: 0, environment: .sandbox), PushAnswer(verdict, at: now),
            tally: &tally, declaration: { _ in nil })
        #expect(replica.phase == .notStarted(.otherPerson))
        #expect(replica.lease == nil)
    }

    @Test func `nor where another person's phone shows the token of one that Apple has refused`()
        throws
    {
        var imported = try #require(ledger.device(former))
        imported.user = "anna"
        ledger.update(imported)
        let order = try plan(for: ["anna"])
        try change(in: order) { $0.phase = .notStarted(.suspected) }
        try report(.identify(user: "bert"))
        try report(.setStartToken(type: "Match", token: token))
        #expect(
            ledger.replicas(of: order, after: 0, limit: .max).last?.phase == .notStarted(.otherPerson))
    }

    @Test(
        "A phone that shows a token is its user's whom the same report names before",
        arguments: ["anna", "bert"])
    func names(owner: String) throws {
        try report(.identify(user: owner == "bert" ? "anna" : "carla"))
        var imported = try #require(ledger.device(former))
        imported.user = owner
        ledger.update(imported)
        let order = try plan(for: [owner])
        try report(.logout, .identify(user: "bert"), .setStartToken(type: "Match", token: token))
        let place = try #require(ledger.replicas(of: order, after: 0, limit: .max).last)
        #expect(place.device == device)
        #expect(place.phase == (owner == "bert" ? .starting : .notStarted(.otherPerson)))
    }

    @Test func `nor is it where nobody was named before`() throws {
        var imported = try #require(ledger.device(former))
        imported.user = "anna"
        ledger.update(imported)
        let order = try plan(for: ["anna"])
        try report(.identify(user: "bert"), .setStartToken(type: "Match", token: token))
        #expect(
            ledger.replicas(of: order, after: 0, limit: .max).last?.phase == .notStarted(.otherPerson))
    }

    @Test(
        "takes all places of an activity along, also where a start of its own came to nothing",
        arguments: [true, false])
    func takesAll(hasRemnant: Bool) throws {
        var final = try #require(ledger.newestActivity(named: "final", in: app.id))
        try change { $0.phase = .notStarted(.suspected) }
        ledger.insert(
            Replica(activity: final.id, ordinal: 2, device: former, phase: .dismissed, createdAt: now))
        if hasRemnant {
            ledger.insert(
                Replica(
                    activity: final.id, ordinal: 3, device: device, phase: .notStarted(.givenUp),
                    createdAt: now))
        }
        final.nextOrdinal = hasRemnant ? 4 : 3
        ledger.update(final)
        try report(.setStartToken(type: "Match", token: token))
        let taken = try places().filter { $0.device == device && $0.phase != .notStarted(.givenUp) }
        #expect(taken.map(\.phase) == [.notStarted(.suspected), .dismissed])
        // The card that the person removed does not come back (R13).
        _ = try ResumeApp(Transaction(ledger, at: now))(app.id)
        #expect(try !places().contains { $0.phase == .starting })
    }
}
