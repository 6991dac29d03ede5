import APNSWire
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@testable import EyotEngine

/// Cards that join one after the other, so that the activity never rests. While each push is on its way, the next
/// card's token comes.
@Suite("Operations of an activity that never rests")
struct ConclusionTests {
    private static let running = 100
    private static let all = 300

    private let drive = EngineDrive()
    private let app: App
    private let id: ActivityID
    private let operation: Int64

    init() throws {
        app = try drive.app("m", cards: Self.all)
        id = try #require(drive.ledger.newestActivity(named: "m", in: app.id)).id
        for ordinal in Self.running + 1...Self.all {
            var replica = try #require(drive.ledger.replica(ordinal, of: id))
            (replica.phase, replica.token) = (.waitingForToken, nil)
            drive.ledger.update(replica)
        }
        try drive.declare(app)
        var new = Operation(
            app: app.id, verb: .update, name: "m", activity: id, generation: 1, version: 1, outcome: .applied,
            acceptedAt: drive.now)
        new = drive.ledger.insert(new)
        operation = new.id
    }

    /// The events that tell of requests.
    private var conclusions: [Event] {
        drive.ledger.events(of: app.id, about: .app, after: 0, limit: .max).filter { $0.operation != nil }
    }

    private var isDone: Bool { drive.ledger.operation(operation, in: app.id)?.completion != nil }

    private func join(_ ordinal: Int) {
        // No card of a page gets another push within the second of that page.
        drive.now = drive.now + 1
        guard ordinal <= Self.all, var replica = drive.ledger.replica(ordinal, of: id),
            let token = PushToken(bytes: [UInt8(ordinal >> 8), UInt8(ordinal & 255)])
        else { return }
        replica.phase = .live
        replica.token = UpdateToken(token: token, environment: .production, version: 1, setAt: drive.now)
        drive.ledger.update(replica)
        guard var activity = drive.ledger.activity(id) else { return }
        activity.wake(at: drive.now)
        drive.ledger.update(activity)
        drive.ledger.woken.insert(id)
    }

    @Test func `One is done when everybody has it who was there`() throws {
        var doneBy: Int?
        drive.verdict = { push in
            if doneBy == nil, isDone { doneBy = push.ordinal }
            if push.ordinal >= Self.running { join(push.ordinal + 1) }
            return .accepted
        }
        try drive.run()
        #expect(drive.pushes.count == Self.all)
        #expect(doneBy ?? Self.all < Self.running + 10)
        #expect(isDone)
        #expect(conclusions.map(\.fact) == [Fact(.operationDone, version: 1, reason: "update")])
        #expect(conclusions.map(\.operation) == [operation])
    }

    /// Tries the next state out with some of the cards that run.
    private func tryOut() throws {
        var activity = try #require(drive.ledger.activity(id))
        let content = Content(state: ["n": .integer(2)])
        let terms = Canary.Terms(percent: 10, waitSeconds: 20)
        drive.ledger.insert(activity.declare(.state, content, on: terms, at: drive.now))
        activity.chooseShare()
        try AdvanceCanary(Transaction(drive.ledger, at: drive.now)).markShare(of: activity)
        drive.ledger.update(activity)
        drive.ledger.woken.insert(activity.id)
    }

    private var canary: Canary? { drive.ledger.activity(id)?.canary }

    @Test(arguments: [nil, 7])
    func `What is tried out goes on when its share has it, or has been waited for`(throttled: Int?) throws {
        try drive.run()
        drive.now = drive.now + 2
        try tryOut()
        let last = try #require(canary?.upTo)
        #expect(last == Self.all / 10)
        let before = drive.now
        var wentOn: Double?
        var joined = Self.running
        drive.verdict = { push in
            if wentOn == nil, push.state == 2, push.ordinal > last { wentOn = drive.now.seconds(since: before) }
            // They go on joining as long as anything leaves.
            if push.ordinal >= last, joined < Self.all {
                joined += 1
                join(joined)
            }
            return push.ordinal == throttled ? .refused(.tooManyRequests) : .accepted
        }
        try drive.run()
        #expect(joined == Self.all)
        let patience = throttled == nil ? 0 : Canary.patience
        let soonest = 20 + patience
        #expect((soonest...soonest + 10).contains(wentOn ?? 0), "\(wentOn ?? 0)")
    }

    @Test(arguments: [true, false])
    func `A lap does not speak for a share of which places are still to be kept when it begins`(isTold: Bool) throws {
        try drive.run()
        drive.now = drive.now + 2
        try tryOut()
        let share = try #require(canary?.share)
        let start = StartTerms(
            attributesVersion: 1, isScoped: false, alerted: 0, startsAt: drive.now, isForced: false,
            restartsDismissed: false)
        let list = MemberList(
            app: app.id, activity: id, version: share.version, operation: operation, purpose: .start(start),
            acceptedAt: drive.now)
        if !isTold { _ = drive.ledger.insert(list, members: []) }
        let look = EngineCore.Look(activity: id, followsLap: true)
        let taken = try TakePages(Transaction(drive.ledger, at: drive.now))([look], in: .init(pushes: 10, replicas: 10))
        guard case .seen(let seen) = taken.looked[id]?.outcome else {
            Issue.record("it is under way")
            return
        }
        #expect(seen.goal?.share == (isTold ? share : nil))
    }

    @Test func `One is not done while somebody who was there waits for another try`() throws {
        drive.verdict = { push in
            if push.ordinal >= Self.running { join(push.ordinal + 1) }
            return push.ordinal == 7 ? .refused(.serviceUnavailable) : .accepted
        }
        try drive.run()
        #expect(drive.pushes.count >= Self.all)
        #expect(!isDone)
        drive.verdict = { _ in .accepted }
        drive.now = drive.now + 3_600
        try drive.run()
        #expect(isDone)
    }
}
