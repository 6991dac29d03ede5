import APNSWire
import EyotContract
import EyotDomain
import Testing

@testable import EyotEngine

/// Orders of events that a world in which every effect is performed at once never sees.
@Suite("The core, event by event")
struct EngineCoreTests {
    private static let app = AppID(rawValue: 1)
    private let activity = ActivityID(rawValue: 1)
    private let now = Instant(second: 1_000)

    /// A core that has one push of the activity in flight, and the page's number.
    private func coreInFlight() -> (EngineCore, EngineCore.PageID?) {
        var core = EngineCore()
        _ = core.step(.woken([activity]), now: now)
        let effects = core.step(.took([activity], taken(stamp: 1, ordinals: [1])), now: now)
        return (core, effects.lazy.compactMap(\.pushedPage).first)
    }

    private func page(_ ordinals: [Int], of activity: ActivityID, app: AppID = app) -> TakenPage {
        let push = Push(event: .update, version: 1, stateVersion: 1, alertVersion: 0, priority: .immediate)
        var page = TakenPage(app: app, environment: .sandbox, shard: 0)
        let template = page.add(PushTemplate(topic: "t", priority: .immediate, body: []))
        for ordinal in ordinals {
            guard let token = PushToken(bytes: [UInt8(ordinal)]) else { continue }
            page.append(
                SentPush(ordinal: ordinal, push: push, tokenVersion: 1, environment: .sandbox), of: activity,
                token: token, template: template, id: APNSID(high: 0, low: UInt64(ordinal)))
        }
        return page
    }

    private func taken(
        _ activity: ActivityID? = nil, app: AppID = app, stamp: Int, ordinals: [Int] = [],
        next: EngineCore.Cursor? = nil
    ) -> TakenPages {
        var taken = TakenPages()
        if !ordinals.isEmpty { taken.pages = [page(ordinals, of: activity ?? self.activity, app: app)] }
        taken.looked[activity ?? self.activity] = LookedAt(
            app: app, .seen(.init(stamp: stamp, next: next)))
        return taken
    }

    private func settled(stamp: Int, rests: Bool = false) -> SettledPage {
        var part = SettledPage.Part(stamp: stamp)
        part.rests = rests
        var page = SettledPage()
        page.activities[activity] = part
        return page
    }

    @Test func `what a lap passed over in flight is looked at again where it was settled before the news`() throws {
        var (core, page) = coreInFlight()
        // Something newer is declared; the lap that it begins cannot look at the replica in flight.
        let woken = core.step(.woken([activity]), now: now)
        #expect(woken.first?.looks == [.init(activity: activity, followsLap: true, inFlight: [1])])
        #expect(core.step(.took([activity], taken(stamp: 2)), now: now).isEmpty)
        // Its verdict had been stored before that, so nothing was due then.
        let effects = core.step(.settled(try #require(page), settled(stamp: 1)), now: now)
        #expect(
            effects.first?.looks == [.init(activity: activity, followsLap: true)],
            "one more look, and no rest: \(effects)")
    }

    @Test func `the same holds where the verdict overtakes the look`() throws {
        var (core, page) = coreInFlight()
        _ = core.step(.woken([activity]), now: now)
        #expect(core.step(.settled(try #require(page), settled(stamp: 1)), now: now).isEmpty)
        let effects = core.step(.took([activity], taken(stamp: 2)), now: now)
        #expect(
            effects.first?.looks == [.init(activity: activity, followsLap: true)],
            "one more look, and no rest: \(effects)")
    }

    @Test func `a verdict that was stored after the news lets the activity rest`() throws {
        var (core, page) = coreInFlight()
        _ = core.step(.woken([activity]), now: now)
        _ = core.step(.took([activity], taken(stamp: 2)), now: now)
        let effects = core.step(.settled(try #require(page), settled(stamp: 2)), now: now)
        #expect(effects.first?.restStamp == 2)
    }

    @Test func `the last page of a lap is settled with leave to rest, and nothing is asked again`() throws {
        var (core, page) = coreInFlight()
        let id = try #require(page)
        let settle = core.step(.pushed(id, PageVerdicts(count: 1)), now: now)
        #expect(settle.first?.resting == [activity: EngineCore.RestPlan(stamp: 1)])
        let effects = core.step(.settled(id, settled(stamp: 1, rests: true)), now: now)
        #expect(!effects.contains { !$0.isFind }, "it has gone from memory: \(effects)")
    }

    @Test func `leave to rest that the store gave before the news is void`() throws {
        var (core, page) = coreInFlight()
        let id = try #require(page)
        _ = core.step(.pushed(id, PageVerdicts(count: 1)), now: now)
        // The store has let it rest; then something is declared, and the hint comes before the answer.
        _ = core.step(.woken([activity]), now: now)
        _ = core.step(.took([activity], taken(stamp: 2, ordinals: [2])), now: now)
        let again = core.step(.settled(id, settled(stamp: 1, rests: true)), now: now)
        #expect(
            again.first?.looks == [.init(activity: activity, followsLap: true, inFlight: [2])],
            "the news passed over 1: \(again)")
        // It still knows of the second page.
        _ = core.step(.took([activity], taken(stamp: 2)), now: now)
        let second = try #require(core.flights.keys.first)
        let effects = core.step(.settled(second, settled(stamp: 2)), now: now)
        #expect(effects.first?.restStamp == 2)
    }

    @Test func `a lap that breaks off does not end in rest`() throws {
        var core = EngineCore()
        _ = core.step(.woken([activity]), now: now)
        let effects = core.step(.took([activity], taken(stamp: 1, ordinals: [1], next: .replica(ordinal: 1))), now: now)
        let page = try #require(effects.lazy.compactMap(\.pushedPage).first)
        // The store failed on the second part, so that part has not been looked at.
        _ = core.step(.took([activity], nil), now: now)
        let after = core.step(.settled(page, settled(stamp: 1)), now: now)
        #expect(after.allSatisfy { $0.looks == nil && $0.restStamp == nil }, "no rest: \(after)")
        let later = core.step(.timer, now: now + 1)
        #expect(later.compactMap(\.looks) == [[.init(activity: activity)]], "a new lap: \(later)")
    }

    @Test func `a store that fails is asked again after a pause, about fewer at a time`() throws {
        var core = EngineCore()
        let ids = (1...100).map { ActivityID(rawValue: $0) }
        var now = now
        var counts: [Int?] = []
        for _ in 1...9 {
            let due = ids.map { DueActivity(id: $0, app: Self.app, since: now) }
            let looks = core.step(.due(due, next: nil), now: now).lazy.compactMap(\.looks).first
            counts.append(looks?.count)
            let failed = core.step(.took(looks?.map(\.activity) ?? [], nil), now: now)
            #expect(failed.allSatisfy { $0.looks == nil && !$0.isFind }, "not at once: \(failed)")
            #expect(core.step(.due(due, next: nil), now: now + 0.9).allSatisfy { $0.looks == nil })
            now = now + 1
        }
        #expect(counts == [100, 50, 25, 12, 6, 3, 1, 1, 1])
        // It is well again.
        var takes = 0
        var looks = core.step(.timer, now: now).lazy.compactMap(\.looks).first
        while let asked = looks {
            takes += 1
            var found = TakenPages()
            for look in asked { found.looked[look.activity] = LookedAt(app: Self.app, .rests) }
            looks = core.step(.took(asked.map(\.activity), found), now: now).lazy.compactMap(\.looks).first
        }
        #expect(takes == 7, "1, 2, 4, 8, 16, 32 and the rest")
    }

    @Test func `one for which there was no room is the first of its app, and its app the next`() throws {
        var core = EngineCore()
        let (busy, other) = (AppID(rawValue: 1), AppID(rawValue: 2))
        let many = (1...150).map { ActivityID(rawValue: $0) }
        let one = ActivityID(rawValue: 1_000)
        let due =
            many.map { DueActivity(id: $0, app: busy, since: now) } + [DueActivity(id: one, app: other, since: now)]
        let looks = try #require(core.step(.due(due, next: nil), now: now).lazy.compactMap(\.looks).first)
        #expect(looks.prefix(3).map(\.activity.rawValue) == [1, 1_000, 2])
        // The first one's cards were all that could be read.
        var found = TakenPages()
        for look in looks { found.looked[look.activity] = LookedAt(app: nil, .unseen) }
        found.looked[many[0]] = LookedAt(app: busy, .rests)
        let next = core.step(.took(looks.map(\.activity), found), now: now).lazy.compactMap(\.looks).first
        #expect(next?.prefix(3).map(\.activity.rawValue) == [1_000, 2, 3])
    }

    @Test func `one of which a hint told takes its app's turn when the store has said whose it is`() throws {
        var core = EngineCore()
        let crowd = (1...500).map { ActivityID(rawValue: $0) }
        let one = ActivityID(rawValue: 1_000)
        let looks = try #require(core.step(.woken(crowd + [one]), now: now).lazy.compactMap(\.looks).first)
        _ = core.step(.due([DueActivity(id: one, app: AppID(rawValue: 2), since: now)], next: nil), now: now)
        var found = TakenPages()
        for look in looks { found.looked[look.activity] = LookedAt(app: Self.app, .rests) }
        let next = core.step(.took(looks.map(\.activity), found), now: now).lazy.compactMap(\.looks).first
        #expect(next?.prefix(2).contains { $0.activity == one } == true)
    }

    @Test func `verdicts that could not be stored leave their replicas due`() throws {
        var (core, page) = coreInFlight()
        let effects = core.step(.settled(try #require(page), nil), now: now)
        #expect(
            effects.first?.looks == [.init(activity: activity, followsLap: true)], "a new lap, and no rest: \(effects)")
    }

    // MARK: Turns

    @Test func `many small activities are looked at together, and a long lap by itself`() throws {
        var core = EngineCore()
        let ids = (1...3).map { ActivityID(rawValue: $0) }
        let effects = core.step(.woken(ids), now: now)
        #expect(effects.map { $0.looks?.count } == [3])
        var found = TakenPages()
        found.looked[ids[0]] = LookedAt(
            app: Self.app, .seen(.init(stamp: 1, next: .replica(ordinal: 900))))
        found.looked[ids[1]] = LookedAt(app: Self.app, .unseen)
        found.looked[ids[2]] = LookedAt(app: Self.app, .rests)
        let next = core.step(.took(ids, found), now: now)
        #expect(next.map { $0.looks?.map(\.activity) } == [[ids[1]]], "who was not seen comes first")
        let last = core.step(.took([ids[1]], taken(ids[1], stamp: 1)), now: now)
        #expect(last.compactMap { $0.looks?.map(\.cursor) } == [[.replica(ordinal: 900)]])
    }

    @Test func `an app whose pushes hang takes its share, and another goes on`() throws {
        var limits = EngineCore.Limits()
        limits.pushesPerTake = 2
        limits.pushesPerApp = 2
        limits.pushesInFlight = 100
        var core = EngineCore(limits: limits)
        let slow = ActivityID(rawValue: 7)
        _ = core.step(.woken([slow]), now: now)
        let slowApp = AppID(rawValue: 9)
        let stuck = core.step(
            .took([slow], taken(slow, app: slowApp, stamp: 1, ordinals: [1, 2], next: .replica(ordinal: 2))), now: now)
        #expect(stuck.allSatisfy { $0.looks == nil }, "its second page waits for the first: \(stuck)")
        let other = core.step(.woken([activity]), now: now)
        #expect(other.first?.looks == [.init(activity: activity)])
        // What is not known to be the slow app's is looked at with the word that this app is full.
        #expect(other.first?.full == [slowApp])
    }

    @Test func `an app of which very many activities are due keeps nobody else out`() throws {
        var limits = EngineCore.Limits()
        (limits.pushesPerTake, limits.pushesPerApp, limits.pushesInFlight) = (1, 1, 100)
        (limits.turnsPerApp, limits.turns) = (2, 6)
        var core = EngineCore(limits: limits)
        let large = AppID(rawValue: 9)
        let ids = (11...14).map { ActivityID(rawValue: $0) }
        _ = core.step(.woken(ids), now: now)
        // One of them takes all that the app may have in flight, and Apple's answer does not come.
        var found = taken(ids[0], app: large, stamp: 1, ordinals: [1])
        for id in ids.dropFirst() { found.looked[id] = LookedAt(app: large, .unseen) }
        _ = core.step(.took(ids, found), now: now)
        _ = core.step(.due(ids.map { DueActivity(id: $0, app: large, since: now) }, next: nil), now: now)
        #expect(core.turns.count == 2, "what is beyond its share is left in the store")
        let other = core.step(.woken([activity]), now: now)
        #expect(other.first?.looks == [.init(activity: activity)])
    }

    @Test func `what is due is found by turns among apps`() {
        func due(_ id: Int64, _ app: Int64, _ second: Int) -> DueActivity {
            DueActivity(id: ActivityID(rawValue: id), app: AppID(rawValue: app), since: Instant(second: second))
        }
        let found = DueActivity.byTurns([[due(1, 1, 10), due(2, 1, 11), due(3, 1, 12)], [due(9, 2, 50)]], limit: 3)
        #expect(found.map(\.id.rawValue) == [1, 9, 2])
    }

    @Test func `apps take turns, and within an app the first come is first served`() {
        var queue = ReadyQueue()
        let (one, two) = (AppID(rawValue: 1), AppID(rawValue: 2))
        for number in 1...3 { queue.append(ActivityID(rawValue: Int64(number)), of: one) }
        queue.append(ActivityID(rawValue: 9), of: two)
        var order: [Int64] = []
        while let next = queue.next(without: []) { order.append(next.rawValue) }
        #expect(order == [1, 9, 2, 3])
        queue.append(activity, of: one)
        let none = queue.next(without: [one])
        #expect(none == nil)
        let some = queue.next(without: [two])
        #expect(some == activity)
    }
}

extension EngineCore.Effect {
    fileprivate var pushedPage: EngineCore.PageID? {
        guard case .push(let page, _, _) = self else { return nil }
        return page
    }

    /// Who is looked at; nil for everything that is not a look.
    fileprivate var looks: [EngineCore.Look]? {
        guard case .take(let looks, _) = self else { return nil }
        return looks
    }

    fileprivate var full: Set<AppID>? {
        guard case .take(_, let room) = self else { return nil }
        return room.full
    }

    fileprivate var resting: [ActivityID: EngineCore.RestPlan]? {
        guard case .settle(_, _, _, let resting) = self else { return nil }
        return resting
    }

    fileprivate var restStamp: Int? {
        guard case .rest(_, let plan) = self else { return nil }
        return plan.stamp
    }

    fileprivate var isFind: Bool {
        if case .findDue = self { true } else { false }
    }
}
