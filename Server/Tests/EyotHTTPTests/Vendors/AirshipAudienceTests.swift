import EyotContract
import EyotDomain
import Testing

/// Airship's audiences as its clients send them, and what bounds them.
@Suite struct `Airship's audiences` {
    private func run(_ body: @Sendable @escaping (Rig, VendorCaller) async throws -> Void) async throws {
        try await Rig.run { rig in
            try await rig.phone("one", user: "anna", tags: ["fans"])
            try await rig.phone("two", user: "bert", tags: ["press"])
            try await body(rig, try await rig.caller(of: .airship))
        }
    }

    private func push(_ rig: Rig, _ caller: VendorCaller, _ audience: String) async throws -> Reply {
        try await rig.post(
            `Airship's API`.push, `Airship's API`.start.replacing(#"{"tag":"fans"}"#, with: audience), by: caller,
            of: .airship)
    }

    private static func date(_ comparison: String, _ value: String, _ precision: String? = nil) -> String {
        let member = precision.map { #","precision":"\#($0)""# } ?? ""
        return #"{"attribute":"seen","operator":"\#(comparison)","value":\#(value)\#(member)}"#
    }

    /// Audiences, and how many of the two belong.
    private static let dates: [(String, Int)] = [
        (date("before", #""2021-11-03 12:30:01""#), 1), (date("before", #""2022-11-03 12:00:00""#, "years"), 2),
        (date("before", #""2021-11-03 12:45:00""#, "hours"), 0), (date("before", #""2021-12-03""#, "days"), 1),
        (date("after", #""2021-11-03 12:00:00""#, "years"), 0), (date("after", #""2020-12-31""#, "years"), 2),
        (date("after", #""2021-11-01T00:00:00""#, "months"), 1), (date("after", #""2021-11-03T12:30:00Z""#), 1),
        (date("equals", #""2021-11-03 23:59:59""#, "days"), 1), (date("equals", #""2021-01-01""#, "years"), 2),
        (date("equals", #""2021-11-07""#, "weeks"), 1), (date("equals", #""2021-11-03 12:30:59""#, "minutes"), 1),
        (date("equals", #""2021-11-03 12:31:00""#, "minutes"), 0), (date("equals", #""2021-11-03 12:30:00""#), 1),
        (date("equals", #""2021-11-03T15:30:00+03:00""#), 1),
        (date("range", #"["2021-11-03 12:30:00","2021-12-03 12:30:00"]"#), 2),
        (date("range", #"["2021-11-04","2021-12-03"]"#, "days"), 1),
        (date("range", #"{"after":"2021-11-03","before":"2021-12-03"}"#, "days"), 0),
        (date("range", #"{"after":"2021-11-03","before":"2021-12-04"}"#, "days"), 1),
        (date("is_empty", "null"), 0),
    ]

    /// The attribute is 2021-11-03 12:30:00 of one user, and a month later of the other.
    @Test(arguments: dates)
    func `Dates compare as exactly as their precision says`(_ audience: String, _ count: Int) async throws {
        try await run { rig, caller in
            for (user, date) in [("anna", "2021-11-03 12:30:00"), ("bert", "2021-12-03 12:30:00")] {
                let put = try await rig.call(
                    .put, "/v1/users/\(user)", #"{"tags":[],"attributes":{"seen":"\#(date)"}}"#)
                #expect(put.status == 200, "\(put.text)")
            }
            let reply = try await push(rig, caller, audience)
            #expect(reply.status == 202, "\(reply.text)")
            let name = try #require(try await rig.activityNames().first)
            #expect(try await rig.activity(name)["phases", "starting"]?.integer ?? 0 == count)
        }
    }

    /// Audiences, and what is wrong with them.
    private static let wrong: [(String, String)] = [
        (date("before", #""soon""#, "days"), "audience.value"),
        (date("before", #""2021-11-03""#, "eons"), "audience.precision"),
        (date("equals", "7", "days"), "audience.value"), (date("range", #"["2021-11-03"]"#), "audience.value"),
        (date("range", #"["2021-11-03","x"]"#), "audience.value[1]"),
        (#"{"or":[\#(tags(0..<11))]}"#, "audience.or"), (#"{"AND":[\#(tags(0..<11))]}"#, "audience.AND"),
        (#"{"tag":"\#(String(repeating: "ä", count: 129))"}"#, "audience.tag"),
        (#"{"named_user":["a","\#(String(repeating: "x", count: 129))"]}"#, "audience.named_user[1]"),
    ]

    @Test(arguments: wrong)
    func `What is no date, or more than Airship takes, is refused`(_ audience: String, _ path: String) async throws {
        try await run { rig, caller in
            let reply = try await push(rig, caller, audience)
            #expect((reply.status, reply["error_code"]?.integer) == (400, 40_001), "\(reply.text)")
            #expect(reply["details", "path"]?.string == path, "\(reply.text)")
        }
    }

    private static func tags(_ range: Range<Int>) -> String {
        range.map { #"{"tag":"t\#($0)"}"# }.joined(separator: ",")
    }

    @Test func `A thousand selectors are taken, however they are joined, and one more is not`() async throws {
        try await run { rig, caller in
            func or(_ parts: [String]) -> String { #"{"or":[\#(parts.joined(separator: ","))]}"# }
            let tens = (0..<100).map { or([Self.tags($0 * 10..<$0 * 10 + 10)]) }
            let hundreds = (0..<10).map { or(Array(tens[$0 * 10..<$0 * 10 + 10])) }
            #expect(try await push(rig, caller, or(hundreds)).status == 202)
            let more = hundreds.dropLast() + [#"{"and":[{"tag":"x"},\#(hundreds[9])]}"#]
            let reply = try await push(rig, caller, or(Array(more)))
            #expect(reply.status == 400, "\(reply.text)")
        }
    }

    @Test func `Our own plane counts selectors alike`() async throws {
        try await run { rig, _ in
            func count(_ parts: [String]) async throws -> Reply {
                try await rig.call(
                    .post, "/v1/audiences/count",
                    #"{"audience":{"or":[\#(parts.joined(separator: ","))]},"type":"Match"}"#)
            }
            let tags = (0..<1_000).map { #"{"tag":"t\#($0)"}"# }
            let (all, none) = (try await count(tags), try await count(tags.map { #"{"not":\#($0)}"# }))
            #expect(all.status == 200, "\(all.text)")
            #expect(none["matched"]?.integer == 2, "\(none.text)")
            let more = try await count(tags + [#"{"tag":"x"}"#])
            #expect(more.code == "fieldInvalid", "\(more.text)")
        }
    }

    @Test func `Relevance beyond measure is refused, and an error says which of several it is in`() async throws {
        try await run { rig, caller in
            let far = `Airship's API`.start.replacing(#""priority":10"#, with: #""relevance_score":1e300"#)
            let reply = try await rig.post(`Airship's API`.push, far, by: caller, of: .airship)
            let field = "notification.ios.live_activity.relevance_score"
            #expect((reply.status, reply["details", "path"]?.string) == (400, field), "\(reply.text)")
            let long = `Airship's API`.start.replacing("sports-game-123", with: String(repeating: "x", count: 5_000))
            for (other, path) in [
                (far, "[1].\(field)"), (long, "[1].notification.ios.live_activity.attributes"),
                (`Airship's API`.start.replacing(#"{"tag":"fans"}"#, with: #"{"segment":"none"}"#), "[1]"),
            ] {
                let array = [`Airship's API`.start, other].joined(separator: ",")
                let both = try await rig.post(`Airship's API`.push, "[\(array)]", by: caller, of: .airship)
                #expect(both.status == 400)
                #expect(both["details", "path"]?.string == path, "\(both.text)")
                #expect(both["details", "error"]?.string?.hasPrefix("[1]") == true, "\(both.text)")
            }
            #expect(try await rig.activityNames().isEmpty)
        }
    }
}
