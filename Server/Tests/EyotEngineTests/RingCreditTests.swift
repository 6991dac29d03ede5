import APNSWire
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@testable import EyotEngine

@Suite("What a page of the ring brought its members")
struct RingCreditTests {
    private let ledger = MemoryLedger()
    private let now = Instant(second: 1_000)

    /// R4: a member that had a newer alert, and that is not on the way this time, would get it again.
    @Test func `keeps the newest alert that any of them had when others are told something older`() throws {
        let app = ledger.insertApp(bundleID: "org.example.match", name: "Test", publicKey: "k", at: now).id
        var activity = ledger.insertActivity(named: "final", in: app, generation: 1, type: "Match", at: now)
        for number in 1...4 {
            ledger.insert(activity.declare(.state, Content(state: ["n": .integer(number)]), at: now))
        }
        activity.nextOrdinal = 3
        ledger.update(activity)
        var page = RingPage(activity: activity.id, number: 0)
        (page.taken, page.settled, page.credit.accepted, page.credit.alerted) = (2, 1, 4, 4)
        ledger.put(page)
        let push = Push(event: .update, version: 3, stateVersion: 3, alertVersion: 3, priority: .immediate)
        let run = RingRun(
            page: 0, time: 2, everyone: 4,
            groups: [.init(stand: RingStand(accepted: 2, alerted: 2, scoped: 3, scopedAlert: 3), push: push)],
            groupOf: [0], tokenSetAt: [Instant(second: 1)])
        let settle = RingSettlement(
            ledger: ledger, activity: activity, now: now + 5, declaration: DeclarationReader(ledger, of: activity.id))
        let sent = SentPush(ordinal: 1, push: push, tokenVersion: 1, environment: .production)
        let outcome = try settle(run, [sent], PageVerdicts(count: 1, .accepted))
        #expect(outcome.page?.settled == 2)
        #expect(outcome.page?.credit.alerted == 4)
    }
}
