import EyotContract
import EyotDomain
import EyotEngine
import HTTPTypes
import Testing

@Suite("Insights", .timeLimit(.minutes(10)))
struct InsightTests {
    private static let type = "/v1/insights/types/Match"
    private static let adoption = "/v1/insights/adoption"

    /// Two phones get a card. One phone shows the state and one dismisses the card, an hour later.
    private func play(_ rig: Rig) async throws -> [(id: String, secret: String)] {
        let one = try await rig.phone("one", user: "ana")
        let two = try await rig.phone("two", user: "bo", os: "17.4", build: "=1+1")
        #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
        for phone in [one, two] {
            #expect(try await rig.changes(phone.secret, Rig.card(2, "c", token: phone.id)).status == 200)
        }
        rig.clock.advance(3_600)
        let echo =
            #"{"sequence":3,"kind":"cardEvent","event":"contentApplied","instance":"c","name":"final","type":"Match","#
            + #""digest":"\#(StateDigest(of: ["n": 1]).text)"}"#
        #expect(try await rig.changes(one.secret, echo).status == 200)
        let end = #"{"sequence":3,"kind":"cardEvent","event":"dismissed","instance":"c","name":"final","type":"Match"}"#
        #expect(try await rig.changes(two.secret, end).status == 200)
        return [one, two]
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

    private static func funnel(_ name: String, _ hours: [JSONValue]) -> [Int] {
        hours.map { $0.object?["funnel"]?.object?[name]?.integer ?? -1 }
    }

    @Test func `a type's report has each hour, and phones by their properties`() async throws {
        try await Rig.run { rig in
            _ = try await play(rig)
            let report = try await rig.call(.get, Self.type)
            let hours = report["hours"]?.array ?? []
            #expect(Self.funnel("eligible", hours) == [2, 0], "\(report.text)")
            #expect(Self.funnel("appeared", hours) == [2, 0])
            #expect(Self.funnel("withToken", hours) == [2, 0])
            #expect(Self.funnel("shown", hours) == [0, 1])
            #expect(Self.funnel("dismissed", hours) == [0, 1])
            #expect(report["funnel", "targeted"] == 2 && report["funnel", "shown"] == 1)
            let row = report["by", "os"]?.object?["17"]?.object
            #expect(row?["eligible"] == 1 && row?["withToken"] == 1 && row?["dismissed"] == 1 && row?["shown"] == 0)
            let divided = try await rig.call(.get, Self.type + "?by=build")
            let last = divided["hours"]?.array?.last?.object?["by"]?.object?["build"]?.object
            #expect(last?["=1+1"]?.object?["dismissed"] == 1, "\(divided.text)")
            #expect(report["hours"]?.array?.last?.object?["by"] == nil)
            let until = rig.clock.now - 3_599
            let first = try await rig.call(.get, Self.type + "?until=\(until.rfc3339)")
            #expect(first["funnel", "appeared"] == 2 && first["funnel", "shown"] == 0, "\(first.text)")
        }
    }

    @Test func `a type outlives its activities, in days, and an unknown one says so`() async throws {
        try await Rig.run { rig in
            _ = try await play(rig)
            let since = rig.clock.now - 86_400
            try await prune(rig, days: 40)
            let report = try await rig.call(.get, Self.type + "?since=\(since.rfc3339)")
            let hours = report["hours"]?.array ?? []
            #expect(Self.funnel("appeared", hours).reduce(0, +) == 2, "\(report.text)")
            #expect(hours.allSatisfy { $0.object?["seconds"] == 86_400 })
            try await prune(rig, days: 500)
            let later = try await rig.call(.get, Self.type + "?since=\(since.rfc3339)")
            #expect(later["funnel", "appeared"] == 0 && later["warnings"] == nil)
            let unknown = try await rig.call(.get, "/v1/insights/types/None")
            #expect(unknown["warnings"]?.array?.count == 1)
            let other = try await rig.call(.get, Self.type, key: rig.other.api)
            #expect(other["warnings"]?.array?.count == 1 && other["funnel", "appeared"] == 0)
        }
    }

    @Test func `adoption has the devices of each day, also after people are gone`() async throws {
        try await Rig.run { rig in
            let phones = try await play(rig)
            let first = rig.clock.now
            rig.clock.advance(2 * 86_400)
            try await rig.phone("three", user: nil, os: "17.4", hasStartToken: false)
            let off = #"{"sequence":4,"kind":"permissions","permissions":{"activities":false,"frequentPushes":false}}"#
            #expect(try await rig.changes(phones[0].secret, off).status == 200)
            rig.clock.advance(86_400)
            #expect(try await rig.call(.delete, "/v1/users/bo").status == 204)
            let path = Self.adoption + "?since=\(first.rfc3339)"
            let points = try await rig.call(.get, path)["points"]?.array?.compactMap(\.object) ?? []
            let numbers = { (name: String) in points.map { $0[name]?.integer ?? -1 } }
            #expect(numbers("devices") == [2, 2, 3, 2])
            #expect(numbers("activitiesOn") == [2, 2, 2, 1])
            #expect(numbers("startToken") == [2, 2, 2, 1])
            #expect(numbers("identified") == [2, 2, 2, 1])
            let old = points.map { $0["by"]?.object?["os"]?.object?["17"]?.object?["devices"]?.integer ?? 0 }
            #expect(old == [1, 1, 2, 1])
            let table = try await rig.call(.get, path + "&format=csv").text.split(separator: "\r\n")
            #expect(table.first == "at,seconds,number,value")
            #expect(table.contains { $0.hasSuffix(",86400,by.os.17.startToken,1") })
            let weeks = try await rig.call(.get, path + "&bucket=week")["points"]?.array?.compactMap(\.object) ?? []
            #expect(weeks.map { $0["devices"]?.integer ?? 0 } == [2])
        }
    }

    @Test func `a moved and a removed start token count once`() async throws {
        try await Rig.run { rig in
            let one = try await rig.phone("one", user: "ana")
            let two = try await rig.phone("two", user: "ana", hasStartToken: false)
            let count = {
                try await rig.call(.get, Self.adoption)["points"]?.array?.last?.object?["startToken"]?.integer
            }
            #expect(try await count() == 1)
            let token = try await rig.store.read { ledger in
                let id = DeviceID(rawValue: Int64(one.id) ?? 0)
                return try ledger.startTokens(of: id).first?.token.hex ?? ""
            }
            let moved = #"{"sequence":2,"kind":"setStartToken","type":"Match","token":"\#(token)"}"#
            #expect(try await rig.changes(two.secret, moved).status == 200)
            #expect(try await count() == 1)
            let removed = #"{"sequence":3,"kind":"removeStartToken","type":"Match"}"#
            #expect(try await rig.changes(two.secret, removed).status == 200)
            #expect(try await count() == 0)
        }
    }

    @Test(arguments: [
        ("/v1/insights/types/Match?since=x", "since"), ("/v1/insights/types/Match?by=user", "by"),
        ("/v1/insights/types/Match?since=2001-01-01T00:00:00Z", "since"),
        ("/v1/insights/adoption?bucket=year", "bucket"), ("/v1/insights/adoption?until=2001-01-01", "until"),
        ("/v1/insights/adoption?since=2040-01-01T00:00:00Z", "since"), ("/v1/insights/adoption?format=xml", "format"),
    ])
    func `what is refused is named`(path: String, field: String) async throws {
        try await Rig.run { rig in
            let reply = try await rig.call(.get, path)
            #expect(reply.code == "fieldInvalid" && reply.field == field, "\(reply.text)")
        }
    }
}
