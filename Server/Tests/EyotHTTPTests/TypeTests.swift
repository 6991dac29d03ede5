import EyotCommands
import Testing

@Suite("Types")
struct TypeTests {
    private static let path = "/v1/types/MatchAttributes/profile"

    @Test func `A profile is the defaults until somebody says otherwise, and again for what is left out`() async throws
    {
        try await Rig.run { rig in
            let first = try await rig.call(.get, Self.path)
            #expect(first["updateSpacing"]?.integer == 0)
            #expect(first["updateSpacingWithoutFrequentPushes"]?.integer == 0)
            #expect(first["startsPerHour"]?.integer == 10)
            #expect(first["restartAfter"]?.integer == 28_800)
            let put = try await rig.call(
                .put, Self.path, #"{"updateSpacing":5,"updateSpacingWithoutFrequentPushes":30,"startsPerHour":2}"#)
            #expect(put.status == 200)
            #expect(try await rig.call(.get, Self.path).text == put.text)
            #expect(put["updateSpacingWithoutFrequentPushes"]?.integer == 30)
            let again = try await rig.call(.put, Self.path, #"{"updateSpacing":7}"#)
            #expect(again["updateSpacingWithoutFrequentPushes"]?.integer == 7)
            #expect(again["startsPerHour"]?.integer == 10)
        }
    }

    @Test func `Types are listed by pages, with what is known of each`() async throws {
        try await Rig.run { rig in
            _ = try await rig.call(.put, "/v1/types/B/profile", #"{"updateSpacing":5}"#)
            let schema = #"{"schema":{"attributes":{"type":"object"},"contentState":{"type":"object"}}}"#
            _ = try await rig.call(.put, "/v1/types/A/schemas", schema)
            _ = try await rig.call(.post, "/v1/types/C/halt")
            let all = try await rig.call(.get, "/v1/types")
            #expect(all["types"]?.array?.compactMap { $0.object?["type"]?.string } == ["A", "B", "C"])
            #expect(all["types", "0", "schemas"] == 1 && all["types", "0", "hasProfile"] == false)
            #expect(all["types", "1", "hasProfile"] == true && all["types", "1", "haltedSince"] == nil)
            #expect(all["types", "2", "haltedSince"]?.string == Rig.start.rfc3339)
            let first = try await rig.call(.get, "/v1/types?limit=2")
            #expect(first["types"]?.array?.count == 2 && first["next"] == "B")
            let second = try await rig.call(.get, "/v1/types?limit=2&after=B")
            #expect(second["types", "0", "type"] == "C" && second["next"] == nil)
            #expect(try await rig.call(.get, "/v1/types", key: rig.other.api)["types"]?.array == [])
        }
    }

    @Test func `What is said of every type holds for those of which nothing is said`() async throws {
        try await Rig.run { rig in
            _ = try await rig.call(.put, "/v1/types/*/profile", #"{"updateSpacing":5,"startsPerHour":1000}"#)
            let common = try await rig.call(.get, Self.path)
            #expect(common["startsPerHour"]?.integer == 1_000 && common["type"]?.string == "MatchAttributes")
            _ = try await rig.call(.put, Self.path, #"{"startsPerHour":2,"restartAfter":0}"#)
            let own = try await rig.call(.get, Self.path)
            #expect(own["startsPerHour"]?.integer == 2 && own["updateSpacing"]?.integer == 0)
            #expect(own["restartAfter"]?.integer == 0)
            let other = try await rig.call(.get, Self.path, key: rig.other.api)
            #expect(other["startsPerHour"]?.integer == 10)
        }
    }

    @Test func `A backend's word on the type of an activity counts, and not the first phone's`() async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("one")
            let card = Rig.card(2, "card", token: "t").replacing("Match", with: "Other")
            #expect(try await rig.changes(phone.secret, card).status == 200)
            #expect(try await rig.call(.get, "/v1/activities/final")["type"]?.string == "Other")
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            #expect(try await rig.call(.get, "/v1/activities/final")["type"]?.string == "Match")
            let other = Body.start.replacing("Match", with: "Other")
            #expect(try await rig.call(.post, "/v1/activities/final/start", other).code == "typeMismatch")
        }
    }

    @Test(arguments: [
        (#"{"updateSpacing":-1}"#, "updateSpacing"), (#"{"updateSpacing":3601}"#, "updateSpacing"),
        (#"{"updateSpacingWithoutFrequentPushes":1e9}"#, "updateSpacingWithoutFrequentPushes"),
        (#"{"restartAfter":604801}"#, "restartAfter"), (#"{"startsPerHour":1001}"#, "startsPerHour"),
        (#"{"startsPerHour":"2"}"#, "startsPerHour"),
        (#"{"spacing":1}"#, "spacing"),
    ])
    func `A profile that cannot be is refused, and the member named`(body: String, field: String) async throws {
        try await Rig.run { rig in
            let reply = try await rig.call(.put, Self.path, body)
            #expect(reply.status == 422)
            #expect(reply.field == field)
        }
    }
}
