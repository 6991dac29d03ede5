import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@Suite("Cards that a phone does not list any more")
struct RetiringTests {
    private let now = Instant(second: 1_700_000_000)
    private let card = Card(instance: "card", name: "final", type: "Match")

    /// What becomes of a card that waits for its token, by one report of its phone.
    private func phase(_ seconds: Double = 60, after actions: DeviceChange.Action...) throws -> Replica.Phase? {
        try place(seconds, after: actions) { $0.instance = card.instance }?.phase
    }

    /// What becomes of a card in another phase.
    private func replica(_ phase: Replica.Phase, after actions: DeviceChange.Action...) throws -> Replica? {
        try place(60, after: actions) { replica in
            replica.instance = card.instance
            replica.phase = phase
            guard let token = PushToken(bytes: [1]) else { return }
            replica.token = UpdateToken(token: token, environment: .sandbox, version: 1, setAt: now)
        }
    }

    /// What becomes of a start that Apple took, by one report of its phone.
    private func start(_ seconds: Double, after actions: DeviceChange.Action...) throws -> Replica? {
        try place(seconds, after: actions) { replica in
            replica.phase = .starting
            replica.lease = Lease(state: .accepted, version: 1)
            replica.lease?.sentAt = now
        }
    }

    /// A phone with a card that runs.
    private func phone() throws -> (MemoryLedger, Device) {
        let ledger = MemoryLedger()
        let app = ledger.insertApp(bundleID: "org.example.match", name: "Test", publicKey: "k", at: now).id
        let final = ledger.insertActivity(named: "final", in: app, generation: 1, type: "Match", at: now)
        let device = ledger.insert(.phone("phone", in: app, at: now))
        var replica = Replica(
            activity: final.id, ordinal: 1, device: device.id, phase: .waitingForToken, createdAt: now)
        replica.instance = card.instance
        ledger.insert(replica)
        return (ledger, device)
    }

    private func send(
        _ actions: [DeviceChange.Action], _ sequence: Int, of device: Device, to ledger: MemoryLedger
    ) throws {
        let changes = actions.map { DeviceChange(sequence: sequence, action: $0) }
        _ = try ApplyChanges(Transaction(ledger, at: now + Double(sequence)))(
            DeviceChangeBatch(epoch: device.epoch, changes: changes), of: device.id)
    }

    private func place(
        _ seconds: Double, after actions: [DeviceChange.Action], as body: (inout Replica) -> Void
    ) throws -> Replica? {
        let ledger = MemoryLedger()
        let app = ledger.insertApp(bundleID: "org.example.match", name: "Test", publicKey: "k", at: now).id
        let final = ledger.insertActivity(named: "final", in: app, generation: 1, type: "Match", at: now)
        let device = ledger.insert(.phone("phone", in: app, at: now))
        var replica = Replica(
            activity: final.id, ordinal: 1, device: device.id, phase: .waitingForToken, createdAt: now)
        body(&replica)
        ledger.insert(replica)
        let changes = actions.enumerated().map { DeviceChange(sequence: $0 + 1, action: $1) }
        _ = try ApplyChanges(Transaction(ledger, at: now + seconds))(
            DeviceChangeBatch(epoch: device.epoch, changes: changes), of: device.id)
        return ledger.replica(1, of: final.id)
    }

    @Test func `may have been removed by a person (R13)`() throws {
        #expect(try phase(after: .running(type: "Match", instances: [])) == .unlisted)
    }

    @Test(arguments: [
        Replica.Phase.dead(TokenDeath(reason: .unregistered, isQuarantine: false)),
        .dead(TokenDeath(reason: .badDeviceToken, isQuarantine: true)), .untracked,
    ])
    func `are gone also where Eyot could no longer push to them`(phase: Replica.Phase) throws {
        let gone = try replica(phase, after: .running(type: "Match", instances: []))
        #expect(gone?.phase == .unlisted)
        #expect(phase == .untracked || gone?.token == nil)
        #expect(try replica(phase, after: .running(type: "Match", instances: [card.instance]))?.phase == phase)
    }

    @Test func `wait for a new token where the phone names them after all (R8)`() throws {
        let dead = Replica.Phase.dead(TokenDeath(reason: .unregistered, isQuarantine: false))
        let named = try replica(dead, after: .running(type: "Match", instances: []), .cardSeen(card))
        #expect(named?.phase == .dead(TokenDeath(reason: .unregistered, isQuarantine: false)))
    }

    @Test(arguments: [CardEvent.dismissed, .vanished])
    func `were not removed by the person where the app announced a change (R13)`(event: CardEvent) throws {
        let ended = try replica(.live, after: .cardEvent(card, .locallyChanged), .cardEvent(card, event))
        #expect(ended?.phase == .ended && ended?.removal == .app)
        // The second report comes later.
        let (ledger, device) = try phone()
        try send([.cardEvent(card, .locallyChanged)], 1, of: device, to: ledger)
        try send([.cardEvent(card, event)], 2, of: device, to: ledger)
        #expect(ledger.replica(ofInstance: card.instance, on: device.id)?.removal == .app)
        // The change was an update, and the person removed the card after it.
        let swiped = try replica(
            .live, after: .cardEvent(card, .locallyChanged), .cardEvent(card, .contentApplied), .cardEvent(card, event))
        #expect(swiped?.phase == .dismissed)
    }

    @Test(arguments: [CardEvent.dismissed, .vanished, .ended])
    func `were not removed by the person where Live Activities are off (R13)`(event: CardEvent) throws {
        let off = DeviceChange.Action.permissions(DevicePermissions(activities: false, frequentPushes: true))
        for actions in [[off, .cardEvent(card, event)], [.cardEvent(card, event), off]] {
            let ended = try place(60, after: actions) { $0.instance = card.instance }
            #expect(ended?.phase == .ended && ended?.removal == .activitiesOff)
        }
        let unheard = try replica(.live, after: off, .running(type: "Match", instances: []))
        #expect(unheard?.phase == .ended && unheard?.removal == .activitiesOff)
    }

    @Test func `may have been removed by the app where they ended and left in one moment`() throws {
        #expect(try replica(.live, after: .cardEvent(card, .vanished))?.removal == .personOrApp)
        let swiped = try replica(.live, after: .cardEvent(card, .dismissed))
        #expect(swiped?.phase == .dismissed && swiped?.removal == nil)
    }

    @Test func `have ended where their time was over`() throws {
        let running = DeviceChange.Action.running(type: "Match", instances: [])
        #expect(try phase(Replica.cardLifetime - 1, after: running) == .unlisted)
        #expect(try phase(Replica.cardLifetime, after: running) == .ended)
    }

    @Test func `have ended where the same report says so`() throws {
        #expect(try phase(after: .running(type: "Match", instances: []), .cardEvent(card, .ended)) == .ended)
    }

    @Test func `are gone all the same where the report tells what they showed before`() throws {
        let actions: [DeviceChange.Action] = [
            .cardEvent(card, .contentApplied), .running(type: "Match", instances: []),
        ]
        #expect(try phase(after: actions[0], actions[1]) == .unlisted)
    }

    @Test func `of another type run on`() throws {
        #expect(try phase(after: .running(type: "Order", instances: [])) == .waitingForToken)
    }

    @Test func `show that a start which Apple took led to none (R6)`() throws {
        let nothing = DeviceChange.Action.running(type: "Match", instances: [])
        #expect(try start(1, after: nothing)?.phase == .notStarted(.noCardHeardOf))
    }

    @Test func `do not include those that it lists before it says more of them (R6)`() throws {
        let listed = DeviceChange.Action.running(type: "Match", instances: [card.instance])
        #expect(try start(Lease.expiration + 1, after: listed)?.phase == .starting)
        let known = try start(Lease.expiration + 1, after: listed, .cardSeen(card))
        #expect(known?.phase == .waitingForToken)
        #expect(known?.instance == card.instance)
    }
}
