import APNSWire
import EyotContract
import EyotDomain
import Testing

@testable import EyotEngine

/// Orders of events that a world in which every effect is performed at once never sees.
@Suite("The core, event by event")
struct EngineCoreTests {
    private let activity = ActivityID(rawValue: 1)
    private let now = Instant(second: 1_000)

    /// A core that has one push of the activity in flight, and the page's number.
    private func coreInFlight() -> (EngineCore, EngineCore.PageID?) {
        var core = EngineCore()
        _ = core.step(.woken([activity]), now: now)
        let effects = core.step(.took(activity, taken(stamp: 1, ordinals: [1])), now: now)
        return (core, effects.lazy.compactMap(\.pushedPage).first)
    }

    private func taken(stamp: Int, ordinals: [Int] = [], next: Int? = nil) -> TakenPage {
        let push = Push(event: .update, version: 1, stateVersion: 1, alertVersion: 0, priority: .immediate)
        let sent = ordinals.map { SentPush(ordinal: $0, push: push, tokenVersion: 1, environment: .sandbox) }
        var page = TakenPage(app: AppID(rawValue: 1), stamp: stamp)
        page.next = next
        if !sent.isEmpty { page.parts = [.init(page: PushPage(environment: .sandbox), sent: sent)] }
        return page
    }

    private func settled(stamp: Int) -> SettledPage {
        var page = SettledPage()
        page.stamp = stamp
        return page
    }

    @Test func `what a lap passed over in flight is looked at again where it was settled before the news`() throws {
        var (core, page) = coreInFlight()
        // Something newer is declared; the lap that it begins cannot look at the replica in flight.
        let woken = core.step(.woken([activity]), now: now)
        #expect(woken.first?.excluded == [1])
        #expect(core.step(.took(activity, taken(stamp: 2)), now: now).isEmpty)
        // Its verdict had been stored before that, so nothing was due then.
        let effects = core.step(.settled(try #require(page), settled(stamp: 1)), now: now)
        #expect(effects.first?.excluded == [], "one more look, and no rest: \(effects)")
    }

    @Test func `the same holds where the verdict overtakes the look`() throws {
        var (core, page) = coreInFlight()
        _ = core.step(.woken([activity]), now: now)
        #expect(core.step(.settled(try #require(page), settled(stamp: 1)), now: now).isEmpty)
        let effects = core.step(.took(activity, taken(stamp: 2)), now: now)
        #expect(effects.first?.excluded == [], "one more look, and no rest: \(effects)")
    }

    @Test func `a verdict that was stored after the news lets the activity rest`() throws {
        var (core, page) = coreInFlight()
        _ = core.step(.woken([activity]), now: now)
        _ = core.step(.took(activity, taken(stamp: 2)), now: now)
        let effects = core.step(.settled(try #require(page), settled(stamp: 2)), now: now)
        #expect(effects.first?.restStamp == 2)
    }

    @Test func `a lap that breaks off does not end in rest`() throws {
        var core = EngineCore()
        _ = core.step(.woken([activity]), now: now)
        let effects = core.step(.took(activity, taken(stamp: 1, ordinals: [1], next: 1)), now: now)
        let page = try #require(effects.lazy.compactMap(\.pushedPage).first)
        // The store failed on the second part; nobody has looked at that.
        _ = core.step(.took(activity, nil), now: now)
        let after = core.step(.settled(page, settled(stamp: 1)), now: now)
        #expect(after.first?.excluded == [], "a new lap, and no rest: \(after)")
    }

    @Test func `verdicts that could not be stored leave their replicas due`() throws {
        var (core, page) = coreInFlight()
        let effects = core.step(.settled(try #require(page), .lost), now: now)
        #expect(effects.first?.excluded == [], "a new lap, and no rest: \(effects)")
    }
}

extension EngineCore.Effect {
    fileprivate var pushedPage: EngineCore.PageID? {
        guard case .push(let page, _, _) = self else { return nil }
        return page
    }

    /// Whom a look leaves out; nil for everything that is not a look.
    fileprivate var excluded: Set<Int>? {
        guard case .take(_, _, let excluded, _) = self else { return nil }
        return excluded
    }

    fileprivate var restStamp: Int? {
        guard case .rest(_, _, let stamp) = self else { return nil }
        return stamp
    }
}
