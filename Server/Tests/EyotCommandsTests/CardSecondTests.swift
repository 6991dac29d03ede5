import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

/// The clock is set back by twenty seconds before the phone speaks of its card (R7).
@Suite("The seconds of a card whose clock was set back")
struct CardSecondTests {
    private let ledger = MemoryLedger()
    private let now = Instant(second: 1_700_000_000)
    private let app: AppID
    private let device: DeviceID
    private let card = Card(instance: "card", name: "final", type: "Match")

    private var ahead: Int { now.second + 20 }

    init() throws {
        app = ledger.insertApp(bundleID: "b", name: "n", publicKey: "k", at: now).id
        device = ledger.insert(.phone("phone", in: app, at: now)).id
    }

    /// An activity that anybody may join, with a place that was pushed to before.
    @discardableResult
    private func open(
        _ name: String, generation: Int = 1, _ phase: Replica.Phase, _ change: (inout Replica) -> Void = { _ in }
    ) -> Activity {
        var activity = ledger.insertActivity(named: name, in: app, generation: generation, type: "Match", at: now)
        (activity.isPublic, activity.version, activity.nextOrdinal) = (true, 1, 2)
        ledger.update(activity)
        var replica = Replica(activity: activity.id, ordinal: 1, device: device, phase: phase, createdAt: now)
        if phase == .starting { replica.lease = Lease(version: 1) }
        change(&replica)
        ledger.insert(replica)
        return activity
    }

    private func lease(_ state: Lease.State, sentAt: Instant) -> Lease {
        var lease = Lease(state: state, version: 1)
        lease.sentAt = sentAt
        return lease
    }

    /// The second after which the card is pushed to, when its phone has spoken of it.
    private func secondOfCard() throws -> Int {
        let token = try #require(PushToken(bytes: [1]))
        let batch = DeviceChangeBatch(
            epoch: 1, changes: [DeviceChange(sequence: 1, action: .setUpdateToken(card, token: token))])
        _ = try ApplyChanges(Transaction(ledger, at: now))(batch, of: device)
        return try #require(ledger.replica(ofInstance: "card", on: device)).newestSecond
    }

    @Test func `follow those of a start whose place it does not get`() throws {
        open("final", .notStarted(.givenUp)) { $0.lastSecond = ahead }
        #expect(try secondOfCard() == ahead)
    }

    @Test func `follow those of another generation's start`() throws {
        open("final", .starting) {
            $0.lastSecond = ahead
            $0.lease = lease(.accepted, sentAt: now)
        }
        open("final", generation: 2, .starting)
        #expect(try secondOfCard() == ahead)
        #expect(ledger.replica(ofInstance: "card", on: device)?.activity == ActivityID(rawValue: 2))
    }

    @Test func `follow those that it had under another name`() throws {
        open("semifinal", .live) { ($0.instance, $0.lastSecond) = ("card", ahead) }
        open("final", .ended)
        #expect(try secondOfCard() == ahead)
    }

    @Test func `follow those of a start that said no name`() throws {
        open(NamelessActivity.make(at: now), .starting) {
            $0.lastSecond = ahead
            $0.lease = lease(.accepted, sentAt: now)
        }
        #expect(try secondOfCard() == ahead)
    }

    @Test(arguments: [Lease.State.sent, .unknown])
    func `follow those that its start may have, of which nobody has heard`(state: Lease.State) throws {
        open("final", .starting) { $0.lease = lease(state, sentAt: now + 20) }
        #expect(try secondOfCard() == ahead + Int(Channel.startLead))
    }

    @Test func `are those of the clock where it was not set back`() throws {
        open("final", .starting) { $0.lease = lease(.unknown, sentAt: now - 1) }
        #expect(try secondOfCard() == now.second)
    }
}
