import EyotDomain
import Testing

@testable import EyotServer

@Suite("Webhooks: turns")
struct WebhookTurnsTests {
    private static func candidate(_ id: Int64, _ app: Int64) -> WebhookTurns.Candidate {
        WebhookTurns.Candidate(id: WebhookID(rawValue: id), app: AppID(rawValue: app))
    }

    /// The turns as an object, because a check cannot change a value.
    private final class Turns {
        private var turns = WebhookTurns()

        func begin(among candidates: [WebhookTurns.Candidate]) -> [WebhookTurns.Candidate] {
            turns.begin(among: candidates)
        }
        func end(_ id: WebhookID) { turns.end(id) }
        func note(_ id: WebhookID, tookAll seconds: Double?) { turns.note(id, tookAll: seconds) }
        func isFailing(_ id: WebhookID) -> Bool { turns.isFailing(id) }
    }

    /// Webhooks of apps, 20 each.
    private static func hooks(_ apps: ClosedRange<Int64>) -> [WebhookTurns.Candidate] {
        apps.flatMap { app in (0..<20).map { candidate(app * 100 + $0, app) } }
    }

    @Test func `An app has few turns for receivers that are not known to be quick`() {
        let turns = Turns()
        let begun = turns.begin(among: Self.hooks(1...1))
        #expect(begun.count == WebhookTurns.slowOfApp)
        #expect(WebhookTurns.slowOfApp * 6 <= WebhookTurns.slow && WebhookTurns.slow < WebhookTurns.all)
        for hook in begun { turns.note(hook.id, tookAll: 0.1) }
        #expect(turns.begin(among: Self.hooks(1...1)).count == WebhookTurns.ofApp - WebhookTurns.slowOfApp)
    }

    @Test func `However many apps have slow receivers, quick ones have turns, and the next free one is another app's`()
        throws
    {
        let turns = Turns()
        let good = Self.candidate(1, 99)
        _ = turns.begin(among: [good])
        turns.note(good.id, tookAll: 0.1)
        turns.end(good.id)
        let slow = turns.begin(among: Self.hooks(1...20))
        #expect(slow.count == WebhookTurns.slow)
        #expect(turns.begin(among: Self.hooks(1...20) + [good]) == [good])
        // A new app comes before those that have turns.
        let new = Self.candidate(2, 98)
        turns.end(try #require(slow.first).id)
        #expect(turns.begin(among: Self.hooks(1...20) + [new]).map(\.app) == [new.app])
    }

    @Test func `Webhooks of one app take turns`() {
        let turns = Turns()
        var seen: Set<WebhookID> = []
        for _ in 0..<5 {
            let begun = turns.begin(among: Self.hooks(1...1))
            for hook in begun {
                #expect(seen.insert(hook.id).inserted)
                turns.end(hook.id)
            }
        }
        #expect(seen.count == 20)
    }

    @Test func `A receiver that fails or is slow is not quick any more`() {
        for seconds in [nil, WebhookTurns.quick] {
            let turns = Turns()
            let hooks = Self.hooks(1...1)
            for hook in turns.begin(among: hooks) {
                turns.note(hook.id, tookAll: 0.1)
                turns.note(hook.id, tookAll: seconds)
                #expect(turns.isFailing(hook.id) == (seconds == nil))
            }
            #expect(turns.begin(among: hooks).isEmpty)
        }
    }
}
