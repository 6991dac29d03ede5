import EyotCommands
import EyotContract
import EyotDomain
import EyotEngine
import HTTPTypes
import Testing

@Suite("Reports", .timeLimit(.minutes(10)))
struct ActivityReportTests {
    private static let path = "/v1/activities/final/report"

    private func event(_ sequence: Int, _ event: String, state: JSONValue? = nil) -> String {
        let digest = state.map { #","digest":"\#(StateDigest(of: $0).text)""# } ?? ""
        return #"{"sequence":\#(sequence),"kind":"cardEvent","event":"\#(event)","instance":"c","name":"final","#
            + #""type":"Match"\#(digest)}"#
    }

    /// Three phones: one shows the state, one has dismissed its card, and one cannot be started.
    private func play(_ rig: Rig) async throws {
        let one = try await rig.phone("one", user: "ana")
        let two = try await rig.phone("two", user: "bo", os: "17.4", build: "=1+1")
        try await rig.phone("three", user: "cem", hasStartToken: false)
        #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
        rig.clock.advance(20)
        for phone in [one, two] {
            #expect(try await rig.changes(phone.secret, Rig.card(2, "c", token: phone.id)).status == 200)
        }
        #expect(try await rig.changes(one.secret, event(3, "contentApplied", state: ["n": 1])).status == 200)
        rig.clock.advance(60)
        #expect(try await rig.changes(two.secret, event(3, "dismissed")).status == 200)
    }

    private static func numbers(_ name: String, _ series: [JSONObject]) -> [Int] {
        series.map { $0[name]?.integer ?? -1 }
    }

    private func prune(_ rig: Rig, days: Double) async throws {
        let now = rig.clock.now + days * 86_400
        var stage: Prune.Stage? = .first
        while let current = stage {
            stage = try await rig.store.write {
                try Prune(Transaction($0, at: now), retention: Retention())(current)
            }
        }
    }

    @Test func `the report says what became of the cards, and what phones have shown apart from it`() async throws {
        try await Rig.run { rig in
            try await play(rig)
            let report = try await rig.call(.get, Self.path)
            let funnel = try #require(report["funnel"]?.object, "\(report.text)")
            let expected: [(String, Int)] = [
                ("targeted", 3), ("eligible", 2), ("appeared", 2), ("appearedByPush", 2), ("appearedByApp", 0),
                ("withToken", 2), ("reporting", 1), ("shown", 1), ("dismissed", 1), ("ended", 0),
            ]
            for (name, value) in expected { #expect(funnel[name]?.integer == value, "\(name): \(report.text)") }
            #expect(report["funnel", "skipped", "noStartToken"]?.integer == 1)
            #expect(report["cards", "live"]?.integer == 1)
            #expect(report["cards", "dismissed"]?.integer == 1)
            #expect(report["shown", "share"]?.double == 0.5)
            #expect(report["shown", "newest"]?.integer == 1)
            #expect(report["shown", "age", "count"]?.integer == 1)
            #expect(report["shown", "age", "within5s"]?.integer == 1)
            #expect(report["dismissed", "count"] == 1)
            let row: JSONValue = [
                "targeted": 1, "eligible": 1, "startsAccepted": 0, "startsExpired": 0, "appeared": 1, "withToken": 1,
                "updated": 0, "reporting": 0, "shown": 0, "tapped": 0, "ended": 0, "dismissed": 1, "lifetimeOver": 0,
                "neverAllowed": 0, "refused": 0,
            ]
            #expect(report["by", "os"]?.object?["17"] == row)
            #expect(report["by", "build"]?.object?["=1+1"] == row)
            #expect(report["by", "os"]?.object?["18"]?.object?["reporting"]?.integer == 1)
            #expect(report["by", "os"]?.object?["18"]?.object?["targeted"]?.integer == 2)
            #expect(report["by", "os"]?.object?["18"]?.object?["eligible"]?.integer == 1)
            let series = report["series"]?.array?.compactMap(\.object) ?? []
            #expect(Self.numbers("appeared", series) == [0, 2, 0])
            #expect(Self.numbers("dismissed", series) == [0, 0, 1])
            #expect(Self.numbers("declared", series) == [1, 0, 0])
            #expect(Self.numbers("seconds", series) == [10, 10, 10])
            for person in ["ana", "cem"] { #expect(!report.text.contains("\"\(person)")) }
        }
    }

    @Test func `each tap on a card counts, with its moment and its phone`() async throws {
        try await Rig.run { rig in
            try await play(rig)
            let phone = try await rig.phone("four", user: "dan", os: "26.0")
            #expect(try await rig.changes(phone.secret, Rig.card(2, "c", token: "t")).status == 200)
            rig.clock.advance(20)
            for sequence in [3, 4, 4] {
                #expect(try await rig.changes(phone.secret, event(sequence, "tapped")).status == 200)
            }
            let report = try await rig.call(.get, Self.path)
            #expect(report["funnel", "tapped"] == 2, "\(report.text)")
            #expect(report["by", "os"]?.object?["26"]?.object?["tapped"] == 2)
            let series = report["series"]?.array?.compactMap(\.object) ?? []
            #expect(Self.numbers("tapped", series).last == 2)
        }
    }

    @Test func `a card that runs again after its end counts at its next end again`() async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("one", user: "ana", os: "26.0")
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            rig.clock.advance(20)
            let card = { Rig.card($0, "c", token: phone.id) }
            let steps: [(change: String, ended: Int, ends: Int)] = [
                (card(2), 0, 0), (event(3, "ended"), 1, 1), (event(4, "ended"), 1, 1), (card(5), 0, 1),
                (event(6, "ended"), 1, 2),
            ]
            for step in steps {
                #expect(try await rig.changes(phone.secret, step.change).status == 200)
                let report = try await rig.call(.get, Self.path)
                #expect(report["funnel", "ended"]?.integer == step.ended, "\(step.change): \(report.text)")
                #expect(report["by", "os"]?.object?["26"]?.object?["ended"]?.integer == step.ends, "\(step.change)")
            }
            let ofType = try await rig.call(.get, "/v1/insights/types/Match")
            #expect(ofType["funnel", "ended"]?.integer == 2, "\(ofType.text)")
        }
    }

    @Test func `a table has each number of the report, and no formula of a phone`() async throws {
        try await Rig.run { rig in
            try await play(rig)
            for headers in [[:], ["Accept": "text/csv"]] {
                let query = headers.isEmpty ? "?format=csv&compare=final" : "?compare=final"
                let table = try await rig.call(.get, Self.path + query, headers: headers)
                let lines = table.text.split(separator: "\r\n")
                #expect(lines.first == "name,generation,at,seconds,number,value")
                #expect(lines.count { $0 == "final,1,,,funnel.appeared,2" } == 2)
                #expect(lines.contains("final,1,,,by.build.=1+1.dismissed,1"))
                #expect(lines.count { $0.hasSuffix(",10,dismissed,1") } == 1)
                #expect(table.headers.contains { $0.value.hasPrefix("text/csv") })
            }
            let report = try await rig.call(
                .get, Self.path + "?compare=final&format=json", headers: ["Accept": "text/csv"])
            #expect(report["comparison", "funnel", "appeared"]?.integer == 2)
            #expect(report["comparison", "series"] == nil)
        }
    }

    @Test func `what is refused is named`() async throws {
        try await Rig.run { rig in
            try await play(rig)
            for (query, code, field) in [
                ("?generation=2", "activityUnknown", "generation"), ("?generation=x", "fieldInvalid", "generation"),
                ("?compare=none", "activityUnknown", nil), ("?format=xml", "fieldInvalid", "format"),
            ] {
                let reply = try await rig.call(.get, Self.path + query)
                #expect(reply.code == code && reply.field == field, "\(reply.text)")
            }
            #expect(try await rig.call(.get, "/v1/activities/none/report").code == "activityUnknown")
            #expect(try await rig.call(.get, Self.path, key: rig.other.api).code == "activityUnknown")
        }
    }

    @Test func `a report outlives its activity and its people, and goes when its time is over`() async throws {
        try await Rig.run { rig in
            try await play(rig)
            #expect(try await rig.call(.post, "/v1/activities/final/end", "{}").status == 202)
            let before = try await rig.call(.get, Self.path)
            for user in ["ana", "bo"] { #expect(try await rig.call(.delete, "/v1/users/\(user)").status == 204) }
            let without = try await rig.call(.get, Self.path)
            for name in ["appeared", "dismissed", "reporting", "withToken"] {
                #expect(without["funnel", name] == before["funnel", name], "\(name)")
            }
            try await prune(rig, days: 8)
            #expect(try await rig.call(.get, "/v1/activities/final").status == 404)
            let kept = try await rig.call(.get, Self.path)
            #expect(kept["funnel"] == without["funnel"])
            #expect(kept["keptSince"] != nil)
            #expect(kept["state"]?.string == "ended")
            #expect(Self.numbers("seconds", kept["series"]?.array?.compactMap(\.object) ?? []) == [3_600])
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            #expect(try await rig.call(.get, Self.path)["generation"]?.integer == 2)
            #expect(try await rig.call(.get, Self.path + "?generation=1")["funnel"] == kept["funnel"])
            try await prune(rig, days: 407)
            #expect(try await rig.call(.get, Self.path + "?generation=1")["funnel"] == kept["funnel"])
            try await prune(rig, days: 409)
            #expect(try await rig.call(.get, Self.path + "?generation=1").status == 404)
        }
    }
}
