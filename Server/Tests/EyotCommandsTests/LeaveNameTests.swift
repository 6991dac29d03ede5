import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@Suite("A card that is followed again while another one has its name")
struct LeaveNameTests {
    private let ledger = MemoryLedger()
    private let now = Instant(second: 1_700_000_000)
    private let app: AppID
    private let activity: ActivityID
    private let device: DeviceID
    private let token: PushToken
    private let old = Card(instance: "old", name: "final", type: "Match")

    /// Inserts a phone with two cards of one name. The first card had a declaration, and its token was refused before
    /// the second card came.
    init() throws {
        app = ledger.insertApp(bundleID: "b", name: "n", publicKey: "k", at: now).id
        var final = ledger.insertActivity(named: "final", in: app, generation: 1, type: "Match", at: now)
        (final.version, final.nextOrdinal) = (2, 3)
        ledger.update(final)
        activity = final.id
        device = ledger.insert(.phone("phone", in: app, at: now)).id
        token = try #require(PushToken(bytes: [1]))
        let death = TokenDeath(reason: .badDeviceToken, isQuarantine: true)
        for (ordinal, instance) in [(1, "old"), (2, "new")] {
            var replica = Replica(
                activity: activity, ordinal: ordinal, device: device,
                phase: ordinal == 1 ? .dead(death) : .waitingForToken, createdAt: now)
            (replica.instance, replica.appearedAt) = (instance, now + Double(ordinal))
            if ordinal == 1 {
                (replica.scopedState, replica.scopedAlert) = (2, 2)
                replica.token = UpdateToken(token: token, environment: .sandbox, version: 1, setAt: now)
            }
            ledger.insert(replica)
        }
    }

    private func report(_ action: DeviceChange.Action) throws {
        let batch = DeviceChangeBatch(epoch: 1, changes: [DeviceChange(sequence: 1, action: action)])
        _ = try ApplyChanges(Transaction(ledger, at: now + 60))(batch, of: device)
    }

    private func expectHeir() throws {
        let cards = ledger.replicas(of: activity, after: 0, limit: .max)
        #expect(cards.map(\.ending) == [.replaced, nil])
        #expect(cards.map(\.scopedState) == [2, 2])
        #expect(cards.map(\.scopedAlert) == [2, 2])
    }

    @Test func `gives way where its phone sets a new token, and leaves the other what was declared for it`() throws {
        let new = try #require(PushToken(bytes: [2]))
        try report(.setUpdateToken(old, token: new))
        try expectHeir()
    }

    @Test func `does so where its token is restored`() throws {
        var restoring = RestoreTokens(Transaction(ledger, at: now + 60), app: app)
        #expect(try restoring(.app).updateTokens == 1)
        try expectHeir()
    }

    @Test(arguments: [true, false])
    func `does so where both are`(isRestored: Bool) throws {
        var heir = try #require(ledger.replica(2, of: activity))
        heir.phase = .dead(TokenDeath(reason: .badDeviceToken, isQuarantine: true))
        heir.token = UpdateToken(
            token: try #require(PushToken(bytes: [2])), environment: .sandbox, version: 1, setAt: now)
        ledger.update(heir)
        var restoring = RestoreTokens(Transaction(ledger, at: now + 60), app: app)
        if isRestored {
            #expect(try restoring(.app).updateTokens == 2)
        } else {
            while try ResumeApp(Transaction(ledger, at: now + 60)).prepare(app) {}
        }
        try expectHeir()
    }

    @Test func `does so where the app is resumed`() throws {
        while try ResumeApp(Transaction(ledger, at: now + 60)).prepare(app) {}
        try expectHeir()
    }

    @Test func `leaves nothing where the activity has ended: that end is for both`() throws {
        _ = try Declare(Transaction(ledger, at: now + 30), app: app)(
            DeclarationRequest(verb: .end, name: "final", content: Content(state: ["n": 3])))
        try report(.setUpdateToken(old, token: try #require(PushToken(bytes: [2]))))
        let cards = ledger.replicas(of: activity, after: 0, limit: .max)
        #expect(cards.map(\.ending) == [nil, nil])
        #expect(cards.map(\.scopedState) == [2, 0])
    }

    @Test func `has its name where the other one is gone`() throws {
        let new = try #require(PushToken(bytes: [2]))
        try report(.cardEvent(Card(instance: "new", name: "final", type: "Match"), .dismissed))
        let batch = DeviceChangeBatch(
            epoch: 1, changes: [DeviceChange(sequence: 2, action: .setUpdateToken(old, token: new))])
        _ = try ApplyChanges(Transaction(ledger, at: now + 60))(batch, of: device)
        let cards = ledger.replicas(of: activity, after: 0, limit: .max)
        #expect(cards.map(\.ending) == [nil, nil])
        #expect(cards.map(\.scopedState) == [2, 0])
    }
}
