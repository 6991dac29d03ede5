import APNSWire
import EyotContract
import EyotDomain
import EyotMetrics
import EyotTestKit
import Testing

@testable import EyotEngine

@Suite("Metrics of pages")
struct PageMetricsTests {
    private let app = AppID(rawValue: 1)
    private let now = Instant(second: 1_000)

    private func page(_ events: [LiveActivityEvent]) -> TakenPage {
        var page = TakenPage(app: app, environment: .sandbox, shard: 0)
        let template = page.add(PushTemplate(topic: "t", priority: .immediate, body: []))
        for (ordinal, event) in events.enumerated() {
            let push = Push(event: event, version: 1, stateVersion: 1, alertVersion: 0, priority: .immediate)
            guard let token = PushToken(bytes: [1]) else { continue }
            page.append(
                SentPush(ordinal: ordinal, push: push, tokenVersion: 1, environment: .sandbox),
                of: ActivityID(rawValue: 1), token: token, template: template,
                id: APNSID(high: 0, low: UInt64(ordinal)))
        }
        return page
    }

    @Test func `Each push of a page is counted once, by its event and verdict`() throws {
        let meters = Meters()
        let page = page([.update, .update, .update, .end, .end, .update])
        var verdicts = PageVerdicts(count: 6, .accepted)
        verdicts.verdicts[1] = .refused(.unregistered)
        verdicts.verdicts[4] = .unknown
        verdicts.verdicts[5] = .notProcessed
        meters.count(verdicts, of: page)
        meters.count(PageVerdicts(count: 0), of: self.page([]))
        meters.record([.init(seconds: 0.3, count: 2), .init(seconds: 3, count: 1)], of: page)
        let scraped = try ScrapedMetrics(meters.text(at: now))
        let rows = scraped.samples.filter { $0.name == "eyot_pushes_total" }
            .map {
                "\($0.labels["event"] ?? "") \($0.labels["verdict"] ?? "") \($0.labels["reason"] ?? "") \(Int($0.value))"
            }
        #expect(
            rows == [
                "end accepted  1", "end unknown  1", "update accepted  2", "update notProcessed  1",
                "update refused Unregistered 1",
            ])
        let place = ["app": "other", "environment": "sandbox"]
        #expect(scraped.value("eyot_state_age_seconds_count", place) == 3)
        #expect(scraped.value("eyot_state_age_seconds_bucket", place.merging(["le": "0.512"]) { $1 }) == 2)
    }

    @Test func `A card can be behind since its activity became due, or since a lap that has reached all`() {
        var core = EngineCore()
        let id = ActivityID(rawValue: 1)
        _ = core.step(.woken([id]), now: now)
        #expect(core.due.isEmpty, "its app is not known yet")
        var taken = TakenPages()
        taken.looked[id] = LookedAt(app: app, .seen(.init(stamp: 1, next: .replica(ordinal: 5))))
        _ = core.step(.took([id], taken), now: now + 1)
        #expect(core.due == [app: Meters.Due(activities: 1, since: now)])
        taken.looked[id] = LookedAt(app: app, .seen(.init(stamp: 1, next: nil)))
        _ = core.step(.took([id], taken), now: now + 2)
        _ = core.step(.rested(id, true), now: now + 3)
        #expect(core.due.isEmpty)
    }

    @Test func `A card that waits for another try is behind since before`() {
        var core = EngineCore()
        let id = ActivityID(rawValue: 1)
        _ = core.step(.woken([id]), now: now)
        var taken = TakenPages()
        var seen = LookedAt.Seen(stamp: 1, next: nil)
        (seen.later, seen.hasWaitingReplicas) = (now + 5, true)
        taken.looked[id] = LookedAt(app: app, .seen(seen))
        _ = core.step(.took([id], taken), now: now + 1)
        _ = core.step(.rested(id, true), now: now + 2)
        #expect(core.due == [app: Meters.Due(activities: 1, since: now)])
        _ = core.step(.woken([id]), now: now + 5)
        _ = core.step(.took([id], taken), now: now + 6)
        #expect(core.due == [app: Meters.Due(activities: 1, since: now)], "the turn goes on with that")
    }
}
