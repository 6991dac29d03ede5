import APNSWire
import EyotContract
import EyotDomain
import EyotTestKit
import Testing

@testable import EyotEngine

/// What a page gives back before all of it has its verdict (R10).
@Suite("Parts of a page")
struct PagePartsTests {
    private let app = AppID(rawValue: 1)
    private let now = Instant(second: 1_000)

    private func taken(_ ordinals: [ActivityID: ClosedRange<Int>], next: EngineCore.Cursor? = nil) -> TakenPages {
        let push = Push(event: .update, version: 1, stateVersion: 1, alertVersion: 0, priority: .immediate)
        var page = TakenPage(app: app, environment: .sandbox, shard: 0)
        let template = page.add(PushTemplate(topic: "t", priority: .immediate, body: []))
        var taken = TakenPages()
        for (activity, ordinals) in ordinals.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            for ordinal in ordinals {
                guard let token = PushToken(bytes: [1]) else { continue }
                page.append(
                    SentPush(ordinal: ordinal, push: push, tokenVersion: 1, environment: .sandbox), of: activity,
                    token: token, template: template, id: APNSID(high: 0, low: UInt64(ordinal)))
            }
            taken.looked[activity] = LookedAt(app: app, .seen(.init(stamp: 1, next: next)))
        }
        taken.pages = [page]
        return taken
    }

    private func known(_ count: Int, _ verdict: PushVerdict = .accepted, open: [Int]) -> PageVerdicts {
        var known = PageVerdicts(count: count, verdict)
        for slot in open { known.verdicts[slot] = .unknown }
        known.open = open
        return known
    }

    @Test func `Apple's answers count once, however often they are told of, as to whether it is out of order`() throws {
        var limits = EngineCore.Limits()
        limits.outageAnswers = 5
        var core = EngineCore(limits: limits)
        let id = ActivityID(rawValue: 1)
        _ = core.step(.woken([id]), now: now)
        let first = core.step(.took([id], taken([id: 1...6], next: .replica(ordinal: 6))), now: now)
        let page = try #require(first.lazy.compactMap(\.pushed).first)
        for open in [[2, 3, 4, 5], [3, 4, 5], [4, 5]] {
            let part = core.step(.pushed(page, known(6, .refused(.serviceUnavailable), open: open)), now: now)
            #expect(part.compactMap { $0.moment } == [], "\(6 - open.count) answers")
        }
        let part = core.step(.pushed(page, known(6, .refused(.serviceUnavailable), open: [5])), now: now)
        #expect(part.compactMap { $0.moment } == [now + 1])
    }

    @Test func `The room of pushes with a verdict is given back, and that of open ones is not`() throws {
        var limits = EngineCore.Limits()
        (limits.pushesPerTake, limits.pushesPerApp) = (2, 5)
        var core = EngineCore(limits: limits)
        let id = ActivityID(rawValue: 1)
        _ = core.step(.woken([id]), now: now)
        let first = core.step(.took([id], taken([id: 1...4], next: .replica(ordinal: 4))), now: now)
        #expect(first.compactMap { $0.room } == [], "it is full")
        let page = try #require(first.lazy.compactMap(\.pushed).first)
        let part = try #require(
            core.step(.pushed(page, known(4, open: [2])), now: now).lazy.compactMap(\.settling).first)
        #expect(part.page.sent.map { $0.ordinal } == [1, 2, 4])
        #expect(part.verdicts.verdicts == [.accepted, .accepted, .accepted])
        let settled = core.step(.settled(part.id, SettledPage()), now: now)
        #expect(settled.compactMap { $0.looks?.first?.inFlight } == [[3]])
        // One of five is in flight still: two may be taken, and then two more, and no third time.
        let second = core.step(.took([id], taken([id: 5...6], next: .replica(ordinal: 6))), now: now)
        #expect(second.compactMap { $0.looks?.first?.inFlight } == [[3, 5, 6]])
        let third = core.step(.took([id], taken([id: 7...8], next: .replica(ordinal: 8))), now: now)
        #expect(third.compactMap { $0.room } == [])
    }

    @Test func `What is open is settled by its own verdicts, and those that were settled are not again`() throws {
        var core = EngineCore()
        let id = ActivityID(rawValue: 1)
        _ = core.step(.woken([id]), now: now)
        let pushed = core.step(.took([id], taken([id: 1...4])), now: now)
        let page = try #require(pushed.lazy.compactMap(\.pushed).first)
        _ = core.step(.pushed(page, known(4, open: [1, 2])), now: now)
        let again = core.step(.pushed(page, known(4, open: [2])), now: now)
        #expect(again.compactMap { $0.settling }.map { $0.page.sent.map { $0.ordinal } } == [[2]])
        // Nothing is new in this.
        #expect(core.step(.pushed(page, known(4, open: [2])), now: now).compactMap { $0.settling }.isEmpty)
        var last = PageVerdicts(count: 4, .accepted)
        last.verdicts[2] = .refused(.unregistered)
        last.deadSince[2] = 77
        let rest = try #require(core.step(.pushed(page, last), now: now).lazy.compactMap(\.settling).first)
        #expect(rest.page.sent.map { $0.ordinal } == [3])
        #expect(rest.verdicts.verdicts == [.refused(.unregistered)])
        #expect(rest.verdicts.deadSince == [0: 77])
    }

    @Test func `An activity all of whose pushes were answered may rest, and one that waits may not`() throws {
        var core = EngineCore()
        let (one, other) = (ActivityID(rawValue: 1), ActivityID(rawValue: 2))
        _ = core.step(.woken([one, other]), now: now)
        let pushed = core.step(.took([one, other], taken([one: 1...2, other: 1...2])), now: now)
        let page = try #require(pushed.lazy.compactMap(\.pushed).first)
        let part = core.step(.pushed(page, known(4, open: [3])), now: now).lazy.compactMap(\.settling).first
        #expect(part.map { Set($0.resting.keys) } == [one])
        _ = core.step(.settled(try #require(part?.id), SettledPage()), now: now)
        let rest = core.step(.pushed(page, PageVerdicts(count: 4, .accepted)), now: now).lazy.compactMap(\.settling)
            .first
        #expect(rest.map { Set($0.resting.keys) } == [other])
    }

    @Test func `A stop waits for what is open`() throws {
        var core = EngineCore()
        let id = ActivityID(rawValue: 1)
        _ = core.step(.woken([id]), now: now)
        let pushed = core.step(.took([id], taken([id: 1...2])), now: now)
        let page = try #require(pushed.lazy.compactMap(\.pushed).first)
        let part = core.step(.pushed(page, known(2, open: [0])), now: now).lazy.compactMap(\.settling).first
        _ = core.step(.stop, now: now)
        #expect(!core.step(.settled(try #require(part?.id), SettledPage()), now: now).contains { $0.isStopped })
        _ = core.step(.pushed(page, PageVerdicts(count: 2, .accepted)), now: now)
        #expect(core.step(.settled(page, SettledPage()), now: now).contains { $0.isStopped })
    }

    @Test func `Of an app that has much in flight as much is taken as there is room for`() throws {
        var limits = EngineCore.Limits()
        (limits.pushesPerTake, limits.pushesPerApp) = (2_000, 4_000)
        var core = EngineCore(limits: limits)
        let id = ActivityID(rawValue: 1)
        _ = core.step(.woken([id]), now: now)
        var took = taken([id: 1...1_000], next: .replica(ordinal: 1_000))
        took.pages += taken([id: 1_001...2_000]).pages
        _ = core.step(.took([id], took), now: now)
        took = taken([id: 2_001...2_600], next: .replica(ordinal: 2_600))
        let effects = core.step(.took([id], took), now: now)
        #expect(effects.compactMap { $0.room?.left } == [[app: 1_400]])
        took = taken([id: 2_601...3_100], next: .replica(ordinal: 3_100))
        #expect(core.step(.took([id], took), now: now).compactMap { $0.room } == [], "there is no room for a page")
    }

    @Test func `A look takes no more than its app has room for`() throws {
        let drive = EngineDrive()
        let (one, other) = (
            try drive.app("one", cards: (1...20).map { ($0, .sandbox) }),
            try drive.app("other", cards: (101...120).map { ($0, .sandbox) })
        )
        for app in [one, other] { try drive.declare(app) }
        let looks = [one, other].compactMap { drive.ledger.newestActivity(named: $0.name, in: $0.id)?.id }
            .map { EngineCore.Look(activity: $0) }
        let room = EngineCore.TakeRoom(pushes: 30, left: [one.id: 7], replicas: 100)
        let taken = try TakePages(Transaction(drive.ledger, at: drive.now))(looks, in: room)
        #expect(taken.pages.map { $0.count } == [7, 20])
        #expect(
            taken.looked[looks[0].activity]?.outcome
                == .seen(.init(stamp: 1, next: .replica(ordinal: 7))))
    }
}

extension EngineCore.Effect {
    fileprivate var moment: Instant? {
        if case .wake(let moment) = self { moment } else { nil }
    }

    fileprivate var pushed: EngineCore.PageID? {
        guard case .push(let page, _, _) = self else { return nil }
        return page
    }

    fileprivate var room: EngineCore.TakeRoom? {
        guard case .take(_, let room) = self else { return nil }
        return room
    }

    fileprivate var looks: [EngineCore.Look]? {
        guard case .take(let looks, _) = self else { return nil }
        return looks
    }

    fileprivate var settling:
        (id: EngineCore.PageID, page: TakenPage, verdicts: PageVerdicts, resting: [ActivityID: EngineCore.RestPlan])?
    {
        guard case .settle(let id, let page, let verdicts, let resting) = self else { return nil }
        return (id, page, verdicts, resting)
    }

    fileprivate var isStopped: Bool {
        if case .stopped = self { true } else { false }
    }
}
