import EyotContract
import EyotDomain
import HTTPTypes
import Testing

/// How often something happened, and to which people.
@Suite("Insights into events", .timeLimit(.minutes(10)))
struct EventInsightTests {
    private static let app = AppID(rawValue: 1)
    private static let day = 86_400.0

    /// A phone with a card of `final` that its person has dismissed.
    private func dismiss(_ name: String, _ rig: Rig) async throws {
        let phone = try await rig.phone(name, user: name)
        #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
        _ = try await rig.changes(phone.secret, Rig.card(2, "card-\(name)", token: name))
        _ = try await rig.changes(
            phone.secret,
            #"{"sequence":3,"kind":"cardEvent","event":"dismissed","instance":"card-\#(name)","name":"final","#
                + #""type":"Match"}"#)
    }

    @Test func `events are counted by kind and reason, for each hour or day`() async throws {
        try await Rig.run { rig in
            try await dismiss("ana", rig)
            rig.clock.advance(3_600)
            try await dismiss("bo", rig)
            let days = try await rig.call(.get, "/v1/insights/events?types=card.*,activity.declared")
            let rows = days["events"]?.array?.compactMap(\.object) ?? []
            #expect(rows.map { $0["type"] } == ["activity.declared", "card.appeared", "card.dismissed"])
            #expect(rows[0]["reason"] == "start" && rows[0]["total"] == 2)
            #expect(rows[2]["series"] == [["at": "2022-12-18T00:00:00Z", "count": 2]])
            #expect(days["bucket"] == "day" && days["until"] == "2022-12-19T00:00:00Z")
            for query in ["", "&activity=final"] {
                let hours = try await rig.call(
                    .get, "/v1/insights/events?types=card.dismissed&bucket=hour&since=2022-12-18T15:30:00Z\(query)")
                #expect(
                    hours["events", "0", "series"] == [
                        ["at": "2022-12-18T15:00:00Z", "count": 1], ["at": "2022-12-18T16:00:00Z", "count": 1],
                    ], "\(hours.text)")
            }
            let late = try await rig.call(.get, "/v1/insights/events?bucket=hour&since=2022-12-18T16:00:00Z")
            #expect(late["events"]?.array?.isEmpty == false && late["events", "0", "series", "1"] == nil)
            // Another app has no such events, and a type is no reason.
            #expect(try await rig.call(.get, "/v1/insights/events?types=card.*", key: rig.other.api)["events"] == [])
            let tokens = try await rig.call(.get, "/v1/insights/events?types=token.start.set")
            #expect(tokens["events", "0", "reason"] == nil && tokens["events", "0", "total"] == 2)
        }
    }

    @Test func `what was not sent is counted by reason, for each hour`() async throws {
        try await Rig.run { rig in
            try await rig.phone("ana", user: "ana")
            try await rig.phone("bo", user: "bo", hasStartToken: false)
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            rig.clock.advance(3_600)
            // The first phone has its card by now, so both are skipped.
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            #expect(try await rig.call(.post, "/v1/activities/none/update", Body.update).status == 404)
            try await rig.storeRefusals()
            let answer = try await rig.call(
                .get, "/v1/insights/not-sent?bucket=hour&since=2022-12-18T15:00:00Z")
            let rows = answer["events"]?.array?.compactMap(\.object) ?? []
            func row(_ type: String, _ reason: String) -> JSONObject? {
                rows.first { $0["type"]?.string == type && $0["reason"]?.string == reason }
            }
            #expect(row("start.skipped", "noStartToken")?["total"] == 2, "\(answer.text)")
            #expect(row("start.skipped", "noStartToken")?["series"]?.array?.count == 2)
            #expect(row("start.skipped", "alreadyActive")?["total"] == 1)
            #expect(row("call.refused", "activityUnknown")?["total"] == 1)
            #expect(!rows.contains { $0["type"] == "activity.declared" })
            #expect(try await rig.call(.get, "/v1/insights/not-sent", key: rig.other.api)["events"] == [])
        }
    }

    @Test func `counts stay when a person is removed, and people do not`() async throws {
        try await Rig.run { rig in
            try await dismiss("ana", rig)
            #expect(try await rig.call(.delete, "/v1/users/ana").status == 204)
            let counts = try await rig.call(.get, "/v1/insights/events?types=card.dismissed")
            #expect(counts["events", "0", "total"] == 1 && !counts.text.contains("ana"))
            #expect(try await rig.call(.get, "/v1/insights/events/card.dismissed/people")["people"] == [])
        }
    }

    @Test func `the people of an event come by pages, each device once on a page`() async throws {
        try await Rig.run { rig in
            for name in ["ana", "bo", "cy"] { try await dismiss(name, rig) }
            try await rig.store.write { ledger in
                let all = try ledger.events(of: Self.app, about: .app, after: 0, limit: 99)
                let first = try #require(all.first { $0.fact.kind == .cardDismissed })
                for second in 1...2 {
                    try ledger.record(
                        Event(
                            app: Self.app, at: rig.clock.now + Double(second) / 10,
                            Fact(.cardDismissed, reason: second == 1 ? "twice" : nil), device: first.device))
                }
            }
            rig.clock.advance(60)
            let path = "/v1/insights/events/card.dismissed/people"
            let all = try await rig.call(.get, path)
            #expect(all["people"]?.array?.map { $0.object?["user"] } == ["ana", "bo", "cy"], "\(all.text)")
            #expect(all["people"]?.array?.map { $0.object?["count"] } == [3, 1, 1] && all["next"] == nil)
            let page = try await rig.call(.get, path + "?limit=2")
            #expect(page["people"]?.array?.map { $0.object?["user"] } == ["ana", "bo"])
            let next = try #require(page["next"]?.string)
            let rest = try await rig.call(.get, path + "?limit=2&after=\(next)")
            #expect(rest["people"]?.array?.map { $0.object?["user"] } == ["cy", "ana"] && rest["next"] == nil)
            let coded = try await rig.call(.get, path + "?code=twice")
            #expect(coded["people"]?.array?.count == 1 && coded["people", "0", "count"] == 1)
            #expect(try await rig.call(.get, path, key: rig.other.api)["people"] == [])
        }
    }

    @Test func `a question that cannot be answered is refused by its name`() async throws {
        try await Rig.run { rig in
            let events = "/v1/insights/events"
            for (path, code, field) in [
                (events + "?bucket=week", "fieldInvalid", "bucket"), (events + "?types=x", "fieldInvalid", "types"),
                (events + "?since=now", "fieldInvalid", "since"), (events + "?activity=none", "activityUnknown", nil),
                (events + "?since=2021-01-01T00:00:00Z", "dateOutOfRange", "since"),
                (events + "?since=2023-01-01T00:00:00Z", "dateOutOfRange", "since"),
                (
                    events + "?bucket=hour&since=2022-11-01T00:00:00Z&until=2022-11-02T00:00:00Z", "dateOutOfRange",
                    "since"
                ), (events + "/card.flew/people", "fieldInvalid", "kind"),
                (events + "/app.paused/people", "fieldInvalid", "kind"),
                (events + "/card.ended/people?after=7", "fieldInvalid", "after"),
                (events + "/card.ended/people?since=2023-01-01T00:00:00Z", "dateOutOfRange", "since"),
            ] {
                let reply = try await rig.call(.get, path)
                #expect(reply.code == code && reply.field == field, "\(path): \(reply.text)")
            }
        }
    }
}
