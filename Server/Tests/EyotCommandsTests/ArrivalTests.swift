import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@Suite("Tokens that wait in the log")
struct ArrivalTests {
    private let ledger = MemoryLedger()
    private let begin = Instant(second: 1_671_375_600)
    private let activity: Activity
    private let device: Device
    private let card = Card(instance: "card", name: "final", type: "Match")

    /// Inserts a phone with a live card that has the token 1, in an activity that has had two updates.
    init() throws {
        let app = ledger.insertApp(bundleID: "org.example.match", name: "Test", publicKey: "k", at: begin).id
        device = ledger.insert(.phone("phone", in: app, at: begin))
        var final = ledger.insertActivity(named: "final", in: app, generation: 1, type: "Match", at: begin)
        for number in 1...2 {
            ledger.insert(final.declare(.state, Content(state: ["n": .integer(number)]), at: begin))
        }
        final.nextOrdinal = 2
        ledger.update(final)
        activity = final
        var replica = Replica(activity: final.id, ordinal: 1, device: device.id, phase: .live, createdAt: begin)
        replica.instance = card.instance
        replica.token = UpdateToken(token: try Self.token(1), environment: .sandbox, version: 1, setAt: begin)
        (replica.acceptedVersion, replica.lastSecond) = (2, begin.second)
        ledger.insert(replica)
    }

    private static func token(_ byte: UInt8) throws -> PushToken { try #require(PushToken(bytes: [0, byte])) }

    private func batch(_ actions: DeviceChange.Action..., after sequence: Int = 0, epoch: Int = 1) -> DeviceChangeBatch
    {
        DeviceChangeBatch(
            epoch: epoch,
            changes: actions.enumerated().map { DeviceChange(sequence: sequence + $0 + 1, action: $1) })
    }

    /// - Returns: nil where the report does not go into the log.
    private func log(_ batch: DeviceChangeBatch, at now: Instant) throws -> DeviceAnswer? {
        var answer = AnswerArrivals(Transaction(ledger, at: now))
        guard let report = try answer(batch, of: device.id) else { return nil }
        ledger.append([report.arrival])
        return report.answer
    }

    private func merge(at now: Instant) throws {
        try MergeArrivals(Transaction(ledger, at: now))(ledger.arrivalPlaces(of: activity.app, limit: .max).map(\.id))
    }

    private var replica: Replica? { ledger.replica(1, of: activity.id) }

    @Test func `are answered as if they had been set, and come to be set as if that had been then`() throws {
        let (report, now) = (batch(.cardSeen(card), .setUpdateToken(card, token: try Self.token(2))), begin + 5)
        let direct = ledger.copy()
        let expected = try ApplyChanges(Transaction(direct, at: now))(report, of: device.id)
        let before = replica
        #expect(try log(report, at: now) == expected)
        #expect(replica == before)
        try merge(at: begin + 9)
        #expect(replica == direct.replica(1, of: activity.id))
        #expect(ledger.device(device.id) == direct.device(device.id))
        #expect(ledger.woken == [activity.id])
    }

    @Test(
        "the first token of a card that was started remotely is set, and what it shows is known", arguments: [1, 2, 3])
    func first(_ shown: Int) throws {
        var started = try #require(replica)
        started.lease = Lease(state: .accepted, version: 1)
        (started.phase, started.instance, started.token) = (.starting, nil, nil)
        ledger.update(started)
        let digest = StateDigest(of: ["n": .integer(shown)])
        let report = batch(
            .cardEvent(card, .started, digest: digest), .setUpdateToken(card, token: try Self.token(2)))
        let direct = ledger.copy()
        let expected = try ApplyChanges(Transaction(direct, at: begin + 5))(report, of: device.id)
        #expect(try log(report, at: begin + 5) == expected)
        try merge(at: begin + 9)
        #expect(replica == direct.replica(1, of: activity.id))
        #expect(replica?.phase == .live)
        let echo = ledger.echo(of: activity.id, ordinal: 1)
        #expect(echo == direct.echo(of: activity.id, ordinal: 1))
        // Nothing with the number 3 was declared.
        #expect(echo?.version == (shown == 3 ? 0 : shown))
    }

    @Test func `a card that was started remotely and has no token yet is noted, and then its token`() throws {
        var started = try #require(replica)
        started.lease = Lease(state: .accepted, version: 1)
        (started.phase, started.instance, started.token) = (.starting, nil, nil)
        ledger.update(started)
        let reports = [batch(.cardSeen(card)), batch(.setUpdateToken(card, token: try Self.token(2)), after: 1)]
        let direct = ledger.copy()
        for (number, report) in reports.enumerated() {
            let now = begin + 5 + Double(number)
            let expected = try ApplyChanges(Transaction(direct, at: now))(report, of: device.id)
            #expect(try log(report, at: now) == expected)
        }
        let ids = ledger.arrivals(of: device.id).map(\.id)
        try MergeArrivals(Transaction(ledger, at: begin + 9))([ids[0]])
        #expect(replica?.phase == .waitingForToken)
        try MergeArrivals(Transaction(ledger, at: begin + 9))([ids[1]])
        #expect(replica == direct.replica(1, of: activity.id))
        #expect(replica?.phase == .live)
    }

    @Test func `a card without a token that may follow a channel is applied at once`() throws {
        #expect(try log(batch(.cardSeen(card)), at: begin + 5) != nil)
        _ = ledger.insert(
            Channel(
                id: ChannelID(rawValue: 0), app: activity.app, environment: .sandbox, activity: activity.id,
                wantedAt: begin))
        #expect(try log(batch(.cardSeen(card)), at: begin + 5) == nil)
        #expect(try log(batch(.setUpdateToken(card, token: try Self.token(2))), at: begin + 5) != nil)
    }

    @Test(arguments: [Lease.State.planned, .sent])
    func `the token of a card whose start may still leave is set at once (R6)`(state: Lease.State) throws {
        var started = try #require(replica)
        started.lease = Lease(state: state, version: 1)
        (started.phase, started.instance, started.token) = (.starting, nil, nil)
        ledger.update(started)
        #expect(try log(batch(.setUpdateToken(card, token: try Self.token(2))), at: begin + 5) == nil)
    }

    @Test func `merged a second time change nothing`() throws {
        #expect(try log(batch(.setUpdateToken(card, token: try Self.token(2))), at: begin + 5) != nil)
        try merge(at: begin + 9)
        let merged = replica
        try merge(at: begin + 10)
        #expect(replica == merged)
        #expect(merged?.token?.version == 2)
    }

    @Test func `what a phone says afterwards comes after them`() throws {
        #expect(try log(batch(.setUpdateToken(card, token: try Self.token(2))), at: begin + 5) != nil)
        let waiting = try #require(ledger.arrivals(of: device.id).first)
        let later = batch(.setUpdateToken(card, token: try Self.token(3)), after: 1)
        _ = try ApplyChanges(Transaction(ledger, at: begin + 6))(later, of: device.id)
        #expect(ledger.arrivals(of: device.id).isEmpty)
        #expect(replica?.token?.token == (try Self.token(3)))
        #expect(replica?.token?.version == 3)
        // A request that read the ledger before that appends the older report.
        ledger.append([waiting])
        try merge(at: begin + 9)
        #expect(replica?.token?.token == (try Self.token(3)))
    }

    @Test func `a phone that registers again has said them before`() throws {
        #expect(try log(batch(.setUpdateToken(card, token: try Self.token(2))), at: begin + 5) != nil)
        let secret = Keyring.make(.deviceSecret)
        ledger.setSecret(secret.hash, of: device.id)
        let registration = DeviceRegistration(
            installation: "phone", environment: .sandbox, bundleID: "org.example.match", osVersion: "18",
            appVersion: "2", sdkVersion: "1", permissions: DevicePermissions(activities: true, frequentPushes: true))
        let app = try #require(ledger.app(device.app))
        _ = try RegisterDevice(Transaction(ledger, at: begin + 6))(
            registration, of: app, known: secret.secret.text, fresh: Keyring.make(.deviceSecret))
        #expect(replica?.token?.token == (try Self.token(2)))
        #expect(ledger.device(device.id)?.sequence == 0)
        #expect(ledger.arrivals(of: device.id).isEmpty)
    }

    @Test func `what Apple took for the former token meanwhile goes again`() throws {
        #expect(try log(batch(.setUpdateToken(card, token: try Self.token(2))), at: begin + 5) != nil)
        var pushed = try #require(replica)
        (pushed.acceptedVersion, pushed.lastSecond) = (3, begin.second + 5)
        ledger.update(pushed)
        try merge(at: begin + 9)
        #expect(replica?.acceptedVersion == 2)
        #expect(replica?.lastSecond == begin.second + 5)
    }

    @Test func `a card whose token has died since is not brought back by it`() throws {
        #expect(try log(batch(.setUpdateToken(card, token: try Self.token(1))), at: begin + 5) != nil)
        var dead = try #require(replica)
        dead.phase = .dead(TokenDeath(reason: .unregistered, isQuarantine: false))
        ledger.update(dead)
        try merge(at: begin + 9)
        #expect(replica?.phase == dead.phase)
    }

    @Test func `a card whose place is gone gets another one`() throws {
        #expect(try log(batch(.setUpdateToken(card, token: try Self.token(2))), at: begin + 5) != nil)
        var other = try #require(replica)
        other.instance = "other"
        ledger.update(other)
        try merge(at: begin + 9)
        let found = try #require(ledger.replica(ofInstance: "card", on: device.id))
        #expect(found.ordinal == 2)
        #expect(found.token?.token == (try Self.token(2)))
        #expect(found.lastSecond >= begin.second + 5)
    }

    @Test func `several of one device are set in the order in which they came, wherever its cards stand`() throws {
        // Its activity is the younger one, so that in the order of the cards its token would come last.
        var younger = ledger.insertActivity(named: "order", in: activity.app, generation: 1, type: "Match", at: begin)
        younger.nextOrdinal = 2
        ledger.update(younger)
        var second = Replica(activity: younger.id, ordinal: 1, device: device.id, phase: .live, createdAt: begin)
        second.instance = "second"
        second.token = UpdateToken(token: try Self.token(8), environment: .sandbox, version: 1, setAt: begin)
        ledger.insert(second)
        let other = Card(instance: "second", name: "order", type: "Match")
        #expect(try log(batch(.setUpdateToken(other, token: try Self.token(9))), at: begin + 5) != nil)
        #expect(try log(batch(.setUpdateToken(card, token: try Self.token(2)), after: 1), at: begin + 6) != nil)
        for ids in try MergeRound(ledger, limits: Registrations.Limits()).merges {
            try MergeArrivals(Transaction(ledger, at: begin + 9))(ids)
        }
        #expect(replica?.token?.token == (try Self.token(2)))
        #expect(ledger.replica(1, of: younger.id)?.token?.token == (try Self.token(9)))
    }

    @Test func `all that a phone has there come before what it says afterwards`() throws {
        #expect(try log(batch(.setUpdateToken(card, token: try Self.token(2))), at: begin + 5) != nil)
        #expect(try log(batch(.setUpdateToken(card, token: try Self.token(3)), after: 1), at: begin + 6) != nil)
        _ = try ApplyChanges(Transaction(ledger, at: begin + 7))(batch(.cardSeen(card), after: 2), of: device.id)
        #expect(ledger.arrivals(of: device.id).isEmpty)
        #expect(replica?.token?.token == (try Self.token(3)))
        #expect(replica?.token?.version == 3)
    }

    @Test func `reports that say more, or say it of a card without a clear place, do not wait`() throws {
        let token = try Self.token(2)
        let unknown = Card(instance: "new", name: "final", type: "Match")
        let renamed = Card(instance: "card", name: "order", type: "Match")
        let reports = [
            batch(.setUpdateToken(card, token: token), .logout), batch(.cardEvent(card, .contentApplied)),
            batch(.setUpdateToken(card, token: token), .cardEvent(card, .dismissed)),
            batch(.setUpdateToken(card, token: token), .setUpdateToken(unknown, token: token)),
            batch(.setUpdateToken(unknown, token: token)), batch(.setUpdateToken(renamed, token: token)),
            batch(.setUpdateToken(card, token: token), epoch: 2),
            batch(.setUpdateToken(card, token: token), after: -1),
        ]
        for report in reports { #expect(try log(report, at: begin + 5) == nil, "\(report)") }
    }

    /// A phone that waits for two cards may call one card by both names before either report is merged. Two places
    /// never share a card.
    @Test func `a card that its phone calls by another name in between has the place of that one alone`() throws {
        let activities = ["order", "other"].map { name in
            var one = ledger.insertActivity(named: name, in: activity.app, generation: 1, type: "Match", at: begin)
            one.nextOrdinal = 2
            ledger.update(one)
            return one.id
        }
        for id in activities {
            var place = Replica(activity: id, ordinal: 1, device: device.id, phase: .starting, createdAt: begin)
            place.lease = Lease(version: 1)
            place.lease?.state = .accepted
            place.lease?.sentAt = begin
            ledger.insert(place)
        }
        for (name, sequence) in [("order", 0), ("other", 1)] {
            let new = Card(instance: "new", name: name, type: "Match")
            let report = batch(.setUpdateToken(new, token: try Self.token(7)), after: sequence)
            #expect(try log(report, at: begin + 5) != nil)
        }
        try merge(at: begin + 9)
        let places = activities.map { ledger.replica(1, of: $0) }
        #expect(places.map { $0?.instance } == [nil, "new"])
    }

    @Test func `a card that may come from a start of an older generation does not wait (R6)`() throws {
        for (generation, phase) in [(1, Replica.Phase.starting), (2, .waitingForToken)] {
            var game = ledger.insertActivity(
                named: "game", in: activity.app, generation: generation, type: "Match", at: begin)
            game.nextOrdinal = 2
            ledger.update(game)
            var place = Replica(activity: game.id, ordinal: 1, device: device.id, phase: phase, createdAt: begin)
            if phase == .starting {
                place.lease = Lease(state: .accepted, version: 1)
                place.lease?.sentAt = begin
            } else {
                place.instance = "first"
            }
            ledger.insert(place)
        }
        let second = Card(instance: "second", name: "game", type: "Match")
        let report = batch(.setUpdateToken(second, token: try Self.token(7)))
        #expect(try log(report, at: begin + 5) == nil)
    }
}
