import EyotCommands
import EyotContract
import Testing

@Suite("Schemas")
struct SchemaTests {
    private static let path = "/v1/types/Match/schemas"
    private static let old = state(#""n":{"type":"integer"}"#, required: #""n""#)
    private static let new = state(#""n":{"type":"integer"},"half":{"type":"string"}"#, required: #""n","half""#)
    private static let newState = #"{"contentState":{"n":3,"half":"first"}}"#

    private static func state(_ properties: String, required: String) -> String {
        #"{"attributes":{"type":"object","properties":{"home":{"type":"string"}},"required":["home"]},"#
            + #""contentState":{"type":"object","properties":{\#(properties)},"required":[\#(required)]}}"#
    }

    private static func start(state: String = #"{"n":1}"#, audience: String = #""all""#) -> String {
        #"{"type":"Match","attributes":{"home":"ARG"},"contentState":\#(state),"alert":\#(Body.alert),"#
            + #""audience":\#(audience)}"#
    }

    private func push(_ rig: Rig, _ schema: String, builds: String = "[]") async throws -> Reply {
        try await rig.call(.put, Self.path, #"{"schema":\#(schema),"builds":\#(builds)}"#)
    }

    @Test func `A schema is kept by build, listed, and removed, in its own app alone`() async throws {
        try await Rig.run { rig in
            #expect(try await push(rig, Self.old).status == 200)
            let pushed = try await push(rig, Self.new, builds: #"["1.1 (8)","1.1 (9)"]"#)
            #expect(pushed["onNewerBuilds", "0", "path"]?.string == "content-state.half")
            #expect(pushed["onNewerBuilds", "0", "reason"]?.string == "is missing")
            #expect(pushed["onOlderBuilds"]?.array == [])
            let list = try await rig.call(.get, Self.path)
            #expect(list["schemas"]?.array?.map { $0.object?["build"]?.string } == [nil, "1.1 (8)", "1.1 (9)"])
            #expect(list["schemas", "0", "schema", "title"]?.string == "Match")
            #expect(try await rig.call(.get, Self.path, key: rig.other.api)["schemas"]?.array == [])
            #expect(try await rig.call(.delete, Self.path + "/1.1%20(8)").status == 204)
            #expect(try await rig.call(.delete, Self.path + "/1.1%20(8)").code == "schemaUnknown")
            #expect(try await rig.call(.delete, Self.path).status == 204)
            #expect(try await rig.call(.get, Self.path)["schemas"]?.array?.count == 1)
        }
    }

    @Test(
        arguments: [
            (#"{"schema":{"attributes":{},"contentState":{"type":"objct"}}}"#, "schema.contentState.type"),
            (#"{"schema":{"attributes":{}}}"#, "schema.contentState"), (#"{"builds":["1"]}"#, "schema"),
            (#"{"schema":{"attributes":{},"contentState":{}},"builds":[""]}"#, "builds[0]"),
            (#"{"schema":{"attributes":{},"contentState":{}},"build":"1"}"#, "build"),
        ]) func `A schema that is not understood is refused, and the member named`(body: String, field: String)
        async throws
    {
        try await Rig.run { rig in
            let reply = try await rig.call(.put, Self.path, body)
            #expect(reply.status == 422)
            #expect(reply.field == field)
        }
    }

    @Test func `Every answer says that the type has no schema, until it has one`() async throws {
        try await Rig.run(hasHints: true) { rig in
            try await rig.phone("one")
            for name in ["a", "b"] {
                let reply = try await rig.call(.post, "/v1/activities/\(name)/start", Body.start)
                #expect(reply["warnings"]?.text.contains("No schema is registered for Match,") == true)
            }
            let update = try await rig.call(.post, "/v1/activities/a/update", Body.update)
            #expect(update["warnings"]?.text.contains("No schema is registered for Match,") == true)
            _ = try await push(rig, Self.old, builds: #"["1.0 (7)"]"#)
            let checked = try await rig.call(.post, "/v1/activities/a/update", Body.update)
            #expect(checked.status == 202 && checked["warnings"]?.text.contains("schema") == false, "\(checked.text)")
        }
    }

    @Test(
        "A Unix time in a Swift Date is taken with a warning that names the date on the phone",
        arguments: [("1671379200", "2053-12-18"), ("1671379200000", "54964-"), ("1671379200.5", "2053-12-18")])
    func unixDates(literal: String, day: String) async throws {
        try await Rig.run { rig in
            try await rig.phone("one")
            let timer =
                #"{"type":"object","properties":{"until":{"type":"number","swift":"Date"}},"required":["until"]}"#
            let schema = #"{"schema":{"title":"Match","attributes":{"type":"object"},"contentState":\#(timer)}}"#
            #expect(try await rig.call(.put, Self.path, schema).status < 300)
            let start = Body.start.replacing(#"{"n":1}"#, with: #"{"until":\#(literal)}"#)
            for path in ["/v1/activities/a/start?dryRun=true", "/v1/activities/a/start"] {
                let reply = try await rig.call(.post, path, start)
                let warnings = reply["warnings"]?.array?.compactMap(\.string) ?? []
                let warning = warnings.first { $0.hasPrefix("contentState.until is \(literal),") }
                #expect(warning?.contains("phones show \(day)") == true, "\(reply.text)")
                #expect(warning?.contains("For 2022-12-18 send 693072000") == true, "\(reply.text)")
            }
            let right = start.replacing(literal, with: "693072000")
            #expect(try await rig.call(.post, "/v1/activities/b/start", right).text.contains("until") == false)
        }
    }

    @Test func `A start that a phone of the audience could not decode is refused, and nothing is done`() async throws {
        try await Rig.run { rig in
            try await rig.phone("one", user: "fan", build: "1.0 (7)")
            try await rig.phone("two", user: "vip", build: "1.1 (8)")
            _ = try await push(rig, Self.old, builds: #"["1.0 (7)"]"#)
            _ = try await push(rig, Self.new, builds: #"["1.1 (8)"]"#)
            let path = "/v1/activities/final/start"
            let refused = try await rig.call(.post, path, Self.start())
            #expect(refused.status == 422)
            #expect(refused.code == "schemaMismatch")
            #expect(refused.field == "contentState.half")
            #expect(refused["detail"]?.string == "content-state.half: is missing in version 1.1 (8) of the app")
            #expect(try await rig.call(.get, "/v1/activities/final").code == "activityUnknown")
            let wrong =
                #"{"type":"Match","attributes":{"home":7},"contentState":{"n":1},"alert":\#(Body.alert),"audience":"all"}"#
            #expect(try await rig.call(.post, path, wrong).field == "attributes.home")
            #expect(try await rig.call(.post, path, Self.start(audience: #"{"user":"fan"}"#)).status == 202)
            let chosen = try await rig.call(
                .post, "/v1/activities/other/start", Self.start(audience: #"{"not":{"appVersion":"1.1 (8)"}}"#))
            #expect(chosen["starting"]?.integer == 1)
        }
    }

    @Test func `An update that a card's phone could not decode is refused, as long as there is such a card`()
        async throws
    {
        try await Rig.run { rig in
            let one = try await rig.phone("one", build: "1.0 (7)")
            _ = try await push(rig, Self.old, builds: #"["1.0 (7)"]"#)
            #expect(try await rig.changes(one.secret, Rig.card(2, "A", token: "a")).status == 200)
            let path = "/v1/activities/final/update"
            #expect(try await rig.call(.post, path, #"{"contentState":{"n":"2"}}"#).field == "contentState.n")
            #expect(try await rig.call(.post, path, #"{"contentState":{"n":2}}"#).status == 202)
            let mistyped = #"{"contentState":{"n":2.5}}"#
            #expect(
                try await rig.call(.post, path, mistyped)["detail"]?.string?.contains("2.5 does not decode") == true)
            // The only card of that build goes.
            let event =
                #"{"sequence":3,"kind":"cardEvent","instance":"A","name":"final","type":"Match","event":"dismissed"}"#
            #expect(try await rig.changes(one.secret, event).status == 200)
            #expect(try await rig.call(.post, path, mistyped).status == 202)
        }
    }

    @Test func `A scope is held against the builds of its own cards`() async throws {
        try await Rig.run { rig in
            let one = try await rig.phone("one", user: "fan", build: "1.0 (7)")
            let two = try await rig.phone("two", user: "vip", build: "1.1 (8)")
            _ = try await push(rig, Self.old)
            _ = try await push(rig, Self.new, builds: #"["1.1 (8)"]"#)
            #expect(try await rig.changes(one.secret, Rig.card(2, "A", token: "a")).status == 200)
            #expect(try await rig.changes(two.secret, Rig.card(2, "B", token: "b")).status == 200)
            let path = "/v1/activities/final/update"
            #expect(try await rig.call(.post, path, Body.update).code == "schemaMismatch")
            let scoped = #"{"contentState":{"n":2},"scope":{"user":"fan"}}"#
            #expect(try await rig.call(.post, path, scoped).status == 202)
            let wrong = #"{"contentState":{"n":"2"},"scope":{"user":"fan"}}"#
            #expect(try await rig.call(.post, path, wrong).field == "contentState.n")
            #expect(try await rig.call(.post, path, Self.newState).status == 202)
        }
    }

    private static let leavingOut = #","onSchemaMismatch":"leaveOut"}"#

    @Test func `Phones that could not decode a start are left out, where the caller asks for it`() async throws {
        try await Rig.run { rig in
            try await rig.phone("one", build: "1.0 (7)")
            try await rig.phone("two", build: "1.1 (8)")
            _ = try await push(rig, Self.old)
            _ = try await push(rig, Self.new, builds: #"["1.1 (8)"]"#)
            let start = String(Self.start().dropLast()) + Self.leavingOut
            let started = try await rig.call(.post, "/v1/activities/final/start", start)
            #expect(started["starting"]?.integer == 1)
            #expect(started["skipped", "schemaMismatch"]?.integer == 1)
        }
    }

    @Test func `Cards that could not decode an update keep the last that they could, and later ones reach the others`()
        async throws
    {
        try await Rig.run { rig in
            let old = try await rig.phone("one", user: "fan", build: "1.0 (7)")
            let new = try await rig.phone("two", user: "vip", build: "1.1 (8)")
            _ = try await push(rig, #"{"attributes":{},"contentState":{}}"#)
            #expect(try await rig.changes(old.secret, Rig.card(2, "A", token: "a")).status == 200)
            #expect(try await rig.changes(new.secret, Rig.card(2, "B", token: "b")).status == 200)
            let path = "/v1/activities/final/update"
            _ = try await rig.call(.post, path, #"{"contentState":{"n":1,"half":"first"}}"#)
            _ = try await push(rig, Self.old)
            _ = try await push(rig, Self.new, builds: #"["1.1 (8)"]"#)
            func shown(_ secret: String, _ sequence: Int, _ card: String) async throws -> Reply {
                rig.clock.advance(1)
                return try await rig.changes(
                    secret,
                    #"{"sequence":\#(sequence),"kind":"cardSeen","instance":"\#(card)","name":"final","type":"Match"}"#)
            }
            for n in 2...3 {
                let update = #"{"contentState":{"n":"\#(n)","half":"late"}"# + Self.leavingOut
                _ = try await push(
                    rig, Self.state(#""n":{"type":"string"}"#, required: #""n""#), builds: #"["1.1 (8)"]"#)
                let reply = try await rig.call(.post, path, update)
                #expect(reply.status == 202, "\(reply.text)")
                #expect(reply["skipped", "schemaMismatch"]?.integer == 1)
                let kept = try await shown(old.secret, 2 * n, "A")
                #expect(kept["cards", "0", "contentState", "n"]?.integer == 1)
                let changed = try await shown(new.secret, 2 * n, "B")
                #expect(changed["cards", "0", "contentState", "n"]?.string == "\(n)")
            }
            // One that comes later gets the newest.
            let late = try await rig.phone("three", build: "1.1 (8)")
            let joined = try await shown(late.secret, 2, "C")
            #expect(joined["cards", "0", "contentState", "n"]?.string == "3")
            // A state that all builds decode reaches all cards again.
            _ = try await push(rig, Self.old, builds: #"["1.1 (8)"]"#)
            #expect(try await rig.call(.post, path, #"{"contentState":{"n":4}}"#).status == 202)
            #expect(try await shown(old.secret, 20, "A")["cards", "0", "contentState", "n"]?.integer == 4)
        }
    }

    @Test func `An end leaves no card out, and refuses the member`() async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("one", build: "1.0 (7)")
            #expect(try await rig.changes(phone.secret, Rig.card(2, "A", token: "a")).status == 200)
            let end = try await rig.call(.post, "/v1/activities/final/end", #"{"onSchemaMismatch":"leaveOut"}"#)
            #expect(end.field == "onSchemaMismatch")
            let word = try await rig.call(
                .post, "/v1/activities/final/update", #"{"contentState":{"n":1},"onSchemaMismatch":"no"}"#)
            #expect(word.field == "onSchemaMismatch")
        }
    }

    @Test func `A card whose app was updated is held against the new build`() async throws {
        try await Rig.run { rig in
            let one = try await rig.phone("one", build: "1.0 (7)")
            #expect(try await rig.changes(one.secret, Rig.card(2, "A", token: "a")).status == 200)
            _ = try await push(rig, Self.old, builds: #"["1.0 (7)"]"#)
            _ = try await push(rig, Self.new, builds: #"["1.1 (8)"]"#)
            let again = try await rig.call(
                .post, "/v1/device/register", Rig.registration("one", build: "1.1 (8)"), key: rig.match.app,
                headers: [DeviceHeader.secret: one.secret])
            #expect(again.status == 200 || again.status == 201, "\(again.text)")
            #expect(try await rig.changes(one.secret, epoch: 2, Rig.card(1, "A", token: "a")).status == 200)
            let path = "/v1/activities/final/update"
            #expect(try await rig.call(.post, path, Body.update).code == "schemaMismatch")
            #expect(try await rig.call(.post, path, Self.newState).status == 202)
        }
    }
}
