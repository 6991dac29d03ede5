import EyotDomain
import Testing

@Suite("Audiences over HTTP")
struct AudienceTests {
    @Test func `A count says whom a start would give a card, and why not the others`() async throws {
        try await Rig.run { rig in
            let running = try await rig.phone("a", user: "anna", tags: ["fans"])
            _ = try await rig.phone("b", user: "anna")
            _ = try await rig.phone("c", user: "bert", tags: ["fans"], os: "16.4")
            _ = try await rig.phone("d", user: "cleo", tags: ["fans"], hasStartToken: false)
            _ = try await rig.phone("e")
            _ = try await rig.changes(running.secret, Rig.card(2, "i1", token: "card"))
            let question = #"{"audience":{"tag":"fans"},"type":"Match","activity":"final"}"#
            let before = await rig.store.commits
            let reply = try await rig.call(.post, "/v1/audiences/count", question)
            #expect(
                reply.text
                    == #"{"matched":4,"users":3,"eligible":1,"skipped":{"osTooOld":1,"noStartToken":1,"alreadyActive":1},"#
                    + #""isComplete":true}"#)
            #expect(await rig.store.commits == before)
            let started = try await rig.call(
                .put, "/v1/activities/final",
                #"{"type":"Match","attributes":{},"contentState":{"n":1},"alert":\#(Body.alert),"audience":{"tag":"fans"}}"#
            )
            #expect(started["starting"] == reply["eligible"] && started["skipped"] == reply["skipped"])
        }
    }

    @Test func `Without a type nobody can say whom a start would reach`() async throws {
        try await Rig.run { rig in
            _ = try await rig.phone("a")
            let reply = try await rig.call(.post, "/v1/audiences/count", #"{"audience":"all"}"#)
            #expect(reply.text == #"{"matched":1,"users":0,"isComplete":true}"#)
            let other = try await rig.call(.post, "/v1/audiences/count", #"{"audience":"all"}"#, key: rig.other.api)
            #expect(other["matched"]?.integer == 0)
            #expect(try await rig.call(.post, "/v1/audiences/count", #"{"type":"Match"}"#).field == "audience")
        }
    }

    @Test func `A segment is whoever belongs when it is used`() async throws {
        try await Rig.run { rig in
            _ = try await rig.phone("a", user: "anna", tags: ["fans"])
            let saved = try await rig.call(
                .put, "/v1/segments/early", #"{"audience":{"and":[{"tag":"fans"},{"osAtLeast":"17.2"}]}}"#)
            #expect(saved.status == 200 && saved["audience", "and", "0", "tag"]?.string == "fans", "\(saved.text)")
            _ = try await rig.phone("b", user: "bert", tags: ["fans"])
            let started = try await rig.call(
                .post, "/v1/activities/final/start",
                #"{"type":"Match","attributes":{},"contentState":{"n":1},"alert":\#(Body.alert),"#
                    + #""audience":{"segment":"early"}}"#)
            #expect(started["starting"]?.integer == 2, "\(started.text)")
            let scoped = try await rig.call(
                .post, "/v1/activities/final/update",
                #"{"contentState":{"n":2},"scope":{"not":{"segment":"early"}}}"#)
            #expect(scoped["members"]?.integer == 0, "\(scoped.text)")
            #expect(try await rig.call(.get, "/v1/segments")["segments", "0", "name"]?.string == "early")
            #expect(try await rig.call(.get, "/v1/segments/early", key: rig.other.api).code == "segmentUnknown")
            #expect(try await rig.call(.delete, "/v1/segments/early").status == 204)
            #expect(try await rig.call(.delete, "/v1/segments/early").status == 404)
            let lost = try await rig.call(.post, "/v1/audiences/count", #"{"audience":{"segment":"early"}}"#)
            #expect(lost.code == "segmentUnknown")
        }
    }

    @Test func `Segments name others, but not themselves, nor more than an audience may hold`() async throws {
        try await Rig.run { rig in
            func put(_ name: String, _ audience: String) async throws -> Reply {
                try await rig.call(.put, "/v1/segments/\(name)", #"{"audience":\#(audience)}"#)
            }
            #expect(try await put("a", #"{"tag":"fans"}"#).status == 200)
            #expect(try await put("b", #"{"not":{"segment":"a"}}"#).status == 200)
            let circle = try await put("a", #"{"segment":"b"}"#)
            #expect(circle.status == 422 && circle.field == "audience", "\(circle.text)")
            #expect(try await rig.call(.get, "/v1/segments/a")["audience", "tag"]?.string == "fans")
            #expect(try await put("c", #"{"segment":"c"}"#).status == 422)
            #expect(try await put("d", #"{"segment":"nobody"}"#).code == "segmentUnknown")
            let wide = (0..<600).map { "\"t\($0)\"" }.joined(separator: ",")
            #expect(try await put("wide", #"{"tag":[\#(wide)]}"#).status == 200)
            #expect(try await put("wider", #"{"or":[{"segment":"wide"},{"segment":"wide"}]}"#).status == 422)
            #expect(try await put("bad", #"{"tag":1}"#).status == 422)
        }
    }

    @Test func `Days are counted from the call`() async throws {
        try await Rig.run { rig in
            _ = try await rig.phone("a")
            rig.clock.advance(8 * 86_400)
            _ = try await rig.phone("b")
            let question = #"{"audience":{"lastSeen":{"withinDays":7}}}"#
            #expect(try await rig.call(.post, "/v1/audiences/count", question)["matched"]?.integer == 1)
            rig.clock.advance(8 * 86_400)
            #expect(try await rig.call(.post, "/v1/audiences/count", question)["matched"]?.integer == 0)
        }
    }
}
