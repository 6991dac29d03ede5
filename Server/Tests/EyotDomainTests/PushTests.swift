import APNSWire
import EyotContract
import EyotDomain
import Testing

@Suite("What a push says")
struct PushTests {
    private let declarations: [Int: Declaration] = [
        1: Declaration(
            activity: ActivityID(rawValue: 1), version: 1, kind: .state, scope: .everyone,
            content: Content(
                state: ["n": 1],
                alert: Alert(body: ["title": "t", "body": "b"], expiresAt: Instant(second: 100)), staleDate: 50,
                relevanceScore: 7), attributes: ["id": "m"], acceptedAt: Instant(second: 1)),
        2: Declaration(
            activity: ActivityID(rawValue: 1), version: 2, kind: .end, scope: .everyone,
            content: Content(dismissalDate: 90), acceptedAt: Instant(second: 2)),
    ]

    private func aps(_ push: Push) throws -> JSONObject {
        let rendered = try push.payload(type: "Match") { declarations[$0] }.render()
        let template = PushTemplate(
            topic: "t", priority: .immediate, body: rendered.body, timestampOffset: rendered.timestampOffset)
        let payload = try JSONValue(parsing: template.body(timestamp: 1_700_000_000))
        #expect(payload.object?["aps"]?.object?["timestamp"] == 1_700_000_000)
        return try #require(payload.object?["aps"]?.object)
    }

    @Test func `A start names type and attributes, alerts, and asks for a token where the phone knows how`() throws {
        var push = Push(event: .start, version: 1, stateVersion: 1, alertVersion: 1, priority: .immediate)
        push.attributesVersion = 1
        push.asksForToken = true
        let aps = try aps(push)
        #expect(aps["event"] == "start")
        #expect(aps["attributes-type"] == "Match")
        #expect(aps["attributes"] == ["id": "m"])
        #expect(aps["alert"] == ["title": "t", "body": "b"])
        #expect(aps["content-state"] == ["n": 1])
        #expect(aps["stale-date"] == 50)
        #expect(aps["input-push-token"] == 1)
        #expect(aps["dismissal-date"] == nil)
    }

    @Test func `An update says nothing of type or attributes`() throws {
        let aps = try aps(Push(event: .update, version: 1, stateVersion: 1, alertVersion: 0, priority: .considerate))
        #expect(aps.members.map(\.name) == ["timestamp", "event", "content-state", "stale-date", "relevance-score"])
    }

    @Test func `An end without a state carries the last one, and the date of its own`() throws {
        let aps = try aps(Push(event: .end, version: 2, stateVersion: 1, alertVersion: 0, priority: .immediate))
        #expect(aps["content-state"] == ["n": 1])
        #expect(aps["dismissal-date"] == 90)
        #expect(aps["stale-date"] == nil)
    }

    @Test func `A card that makes way goes at once`() throws {
        var push = Push(event: .end, version: 0, stateVersion: 1, alertVersion: 0, priority: .immediate)
        push.leavesAtOnce = true
        let aps = try aps(push)
        #expect(aps["dismissal-date"]?.integer == 1)
    }
}
