import EyotContract
import EyotDomain
import Testing

@Suite("Definitions")
struct DefinitionTests {
    private static let path = "/v1/definitions/goal"
    private static let final = "/v1/activities/final"
    private static let goal =
        #"{"parameters":{"home":{"kind":"string"},"score":{"kind":"number","default":0},"tags":{"kind":"array","#
        + #""required":false},"extra":{"kind":"object","required":false}},"declaration":{"type":"Match","#
        + #""attributes":{"home":"{{home}}"},"contentState":{"z":"{{score}}","a":[1.50,"{{extra}}"],"tags":"{{tags}}"},"#
        + #""alert":{"title":"{{home}} {{score}}:0","body":"Goal"},"staleAfter":600}}"#

    @Test func `A definition is kept by its name, listed, read and removed, in its own app alone`() async throws {
        try await Rig.run { rig in
            let put = try await rig.call(.put, Self.path, Self.goal)
            #expect(put.status == 200, "\(put.text)")
            #expect(try await rig.call(.get, Self.path)["declaration", "contentState"]?.text.contains("1.50") == true)
            #expect(try await rig.call(.put, "/v1/definitions/other", #"{"declaration":{}}"#).status == 200)
            let first = try await rig.call(.get, "/v1/definitions?limit=1")
            #expect(first["definitions", "0", "name"]?.string == "goal")
            #expect(first["next"]?.string == "goal")
            #expect(try await rig.call(.get, "/v1/definitions?after=goal")["definitions"]?.array?.count == 1)
            #expect(try await rig.call(.get, Self.path, key: rig.other.api).code == "definitionUnknown")
            #expect(try await rig.call(.delete, Self.path).status == 204)
            #expect(try await rig.call(.delete, Self.path).code == "definitionUnknown")
        }
    }

    @Test
    func `Attributes that lack a member of the type's schema are refused, and names that the server fills in are not`()
        async throws
    {
        try await Rig.run { rig in
            let schema =
                #"{"schema":{"title":"Match","attributes":{"type":"object","properties":{"home":{"type":"string"},"#
                + #""away":{"type":"string"},"note":{"type":"string"},"eyotActivityName":{"type":"string"}},"#
                + #""required":["home","away","eyotActivityName"]},"contentState":{"type":"object"}}}"#
            let bad = #"{"declaration":{"type":"Match","attributes":{"home":"A"},"contentState":{}}}"#
            #expect(try await rig.call(.put, Self.path, bad).status == 200, "no schema is known")
            #expect(try await rig.call(.put, "/v1/types/Match/schemas", schema).status < 300)
            let refused = try await rig.call(.put, Self.path, bad)
            #expect(
                refused.code == "schemaMismatch" && refused.field == "declaration.attributes.away", "\(refused.text)")
            for good in [
                #"{"declaration":{"type":"Match","attributes":{"home":"A","away":"B"}}}"#,
                #"{"declaration":{"type":"Match","contentState":{"n":1}}}"#,
                #"{"declaration":{"type":"Other","attributes":{}}}"#,
                #"{"parameters":{"all":{"kind":"object"}},"declaration":{"type":"Match","attributes":"{{all}}"}}"#,
            ] {
                let taken = try await rig.call(.put, Self.path, good)
                #expect(taken.status == 200, "\(taken.text)")
            }
        }
    }

    @Test func `A call fills the places, keeps values as they were written, and its own members win`() async throws {
        try await Rig.run { rig in
            _ = try await rig.call(.put, Self.path, Self.goal)
            let start = try await rig.call(
                .post, "\(Self.final)/start?dryRun=true",
                #"{"definition":"goal","parameters":{"home":"ARG","score":2.0,"extra":{"y":1e3,"b":null}},"#
                    + #""audience":"all","relevanceScore":7}"#)
            let aps = try #require(start["pushes", "0", "payload", "aps"], "\(start.text)")
            #expect(aps.object?["content-state"]?.text == #"{"z":2.0,"a":[1.50,{"y":1e3,"b":null}]}"#)
            #expect(aps.object?["attributes"]?.object?["home"]?.string == "ARG")
            #expect(aps.object?["alert"]?.text == #"{"title":"ARG 2.0:0","body":"Goal"}"#)
            #expect(aps.object?["relevance-score"]?.double == 7)
            #expect(aps.object?["stale-date"]?.integer == Rig.start.second + 600)
            _ = try await rig.call(.post, "\(Self.final)/start", Body.start)
            let update = try await rig.call(
                .post, "\(Self.final)/update?dryRun=true",
                #"{"definition":"goal","parameters":{"home":"ARG","tags":["a"]},"contentState":{"n":9},"#
                    + #""staleDate":"2022-12-18T16:00:00Z"}"#)
            let updated = try #require(update["pushes", "0", "payload", "aps"], "\(update.text)")
            #expect(updated.object?["content-state"]?.text == #"{"n":9}"#)
            #expect(updated.object?["alert"]?.object?["title"]?.string == "ARG 0:0")
            #expect(updated.object?["attributes"] == nil)
            #expect(updated.object?["stale-date"]?.integer == 1_671_379_200)
        }
    }

    @Test(
        arguments: [
            (#"{"definition":"goal","audience":"all"}"#, "fieldMissing", "parameters.home"),
            (#"{"definition":"goal","parameters":{"home":1}}"#, "fieldMistyped", "parameters.home"),
            (#"{"definition":"goal","parameters":{"home":"A","x":1}}"#, "fieldUnknown", "parameters.x"),
            (#"{"definition":"goal","parameters":[]}"#, "fieldMistyped", "parameters"),
            (#"{"definition":"nothing"}"#, "definitionUnknown", "definition"),
            (#"{"definition":1}"#, "fieldMistyped", "definition"),
            (#"{"parameters":{"home":"A"}}"#, "fieldInvalid", "parameters"),
            (#"{"definition":"goal","parameters":{"home":"A"}}"#, "audienceMissing", "audience"),
        ]) func `A call that does not fill it is refused, by the parameter's name`(
            body: String, code: String, field: String
        )
        async throws
    {
        try await Rig.run { rig in
            _ = try await rig.call(.put, Self.path, Self.goal)
            let reply = try await rig.call(.post, "\(Self.final)/start", body)
            #expect(reply.code == code)
            #expect(reply.field == field)
        }
    }

    @Test(
        arguments: [
            (#"{"parameters":{}}"#, "fieldMissing", "declaration"),
            (#"{"declaration":{"audience":"all"}}"#, "fieldUnknown", "declaration.audience"),
            (#"{"declaration":{"priority":7}}"#, "fieldInvalid", "declaration.priority"),
            (#"{"declaration":{"alert":{"titel":"x"}}}"#, "fieldUnknown", "declaration.alert.titel"),
            (#"{"declaration":{"aps":{"event":"x"}}}"#, "fieldInvalid", "declaration.aps.event"),
            (#"{"declaration":{"contentState":{"a":["{{x}}"]}}}"#, "fieldInvalid", "declaration.contentState.a[0]"),
            (#"{"declaration":{"type":"{{x"}}"#, "fieldInvalid", "declaration.type"),
            (#"{"declaration":{"type":"{{ x }}"}}"#, "fieldInvalid", "declaration.type"),
            (#"{"declaration":{},"parameters":{"x":{"kind":"string"}}}"#, "fieldInvalid", "parameters.x"),
            (#"{"declaration":{},"parameters":{"x":{"kind":"text"}}}"#, "fieldInvalid", "parameters.x.kind"),
            (#"{"declaration":{},"parameters":{"1x":{"kind":"any"}}}"#, "fieldInvalid", "parameters.1x"),
            (
                #"{"declaration":{},"parameters":{"x":{"kind":"number","default":"1"}}}"#, "fieldMistyped",
                "parameters.x.default"
            ),
            (
                #"{"declaration":{"type":"a{{x}}"},"parameters":{"x":{"kind":"object"}}}"#, "fieldInvalid",
                "declaration.type"
            ),
        ]) func `A definition that could never be filled is refused, and the place named`(
            body: String, code: String, field: String
        ) async throws
    {
        try await Rig.run { rig in
            let reply = try await rig.call(.put, Self.path, body)
            #expect(reply.code == code)
            #expect(reply.field == field)
        }
    }

    @Test func `What parameters add is bounded, in bytes and in depth`() async throws {
        try await Rig.run { rig in
            let places = Array(repeating: #""{{x}}""#, count: 1_000).joined(separator: ",")
            let wide = #"{"parameters":{"x":{"kind":"any"}},"declaration":{"contentState":{"a":[\#(places)]}}}"#
            #expect(try await rig.call(.put, Self.path, wide).status == 200)
            _ = try await rig.call(.post, "\(Self.final)/start", Body.start)
            func update(_ value: String) async throws -> Reply {
                try await rig.call(
                    .post, "\(Self.final)/update", #"{"definition":"goal","parameters":{"x":\#(value)}}"#)
            }
            let long = try await update(#""\#(String(repeating: "x", count: 100))""#)
            #expect(long.code == "payloadTooLarge")
            #expect(long.field == "parameters.x")
            let one = #"{"parameters":{"x":{"kind":"any"}},"declaration":{"contentState":{"a":["{{x}}"]}}}"#
            #expect(try await rig.call(.put, Self.path, one).status == 200)
            let depth = 62
            let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            #expect(try await update(deep).field == "parameters")
            #expect(try await update("1").status == 202)
        }
    }

    @Test func `An app has so many definitions and no more, and none is too long`() async throws {
        try await Rig.run { rig in
            try await rig.store.write { ledger in
                for app in try ledger.apps() {
                    for number in 0..<Definition.limit {
                        try ledger.put(Definition(app: app.id, name: "\(number)", json: [:], changedAt: Rig.start))
                    }
                }
            }
            #expect(try await rig.call(.put, Self.path, Self.goal).code == "tooManyDefinitions")
            #expect(try await rig.call(.put, "/v1/definitions/7", Self.goal).status == 200)
            let long = #"{"declaration":{"contentState":{"a":"\#(String(repeating: "x", count: Definition.bytes))"}}}"#
            #expect(try await rig.call(.put, "/v1/definitions/7", long).code == "bodyTooLarge")
        }
    }

    @Test func `A state may be stale so many seconds after it is shown`() async throws {
        try await Rig.run { rig in
            let start = Body.start.dropLast() + #","staleAfter":60,"startsAt":"2022-12-18T16:00:00Z"}"#
            let reply = try await rig.call(.post, "\(Self.final)/start?dryRun=true", String(start))
            #expect(reply["pushes", "0", "payload", "aps", "stale-date"]?.integer == 1_671_379_260)
            let both = #"{"contentState":{},"staleAfter":60,"staleDate":"2022-12-18T16:00:00Z"}"#
            #expect(try await rig.call(.post, "\(Self.final)/update", both).field == "staleAfter")
        }
    }
}
