import EyotContract
import EyotDomain
import Testing

/// Airship's calls with bodies as its pages have them.
@Suite struct `Airship's API` {
    static let push = "/api/push"

    static func body(_ card: String, audience: String = #""all""#, types: String = #"["ios"]"#) -> String {
        #"{"audience":\#(audience),"device_types":\#(types),"notification":{"ios":{"live_activity":\#(card)}}}"#
    }

    static let start = body(
        #"""
        {"event":"start","attributes_type":"Match","attributes":{"gameID":"sports-game-123"},
        "content_state":{"status":"Game about to begin!"},
        "alert":{"title":"Game about to begin","body":"Tune in!"},"priority":10}
        """#, audience: #"{"tag":"fans"}"#)

    private func run(
        lenient: Bool = false, _ body: @Sendable @escaping (Rig, VendorCaller) async throws -> Void
    ) async throws {
        try await Rig.run(lenientVendors: lenient ? [.airship] : []) { rig in
            try await rig.phone("one", user: "anna", tags: ["fans"])
            try await rig.phone("two", user: "bert", tags: ["press"])
            try await body(rig, try await rig.caller(of: .airship))
        }
    }

    private func post(_ rig: Rig, _ caller: VendorCaller, _ path: String, _ body: String) async throws -> Reply {
        try await rig.post(path, body, by: caller, of: .airship)
    }

    /// A card that its app started, and called by a name.
    private func begin(_ name: String, on rig: Rig) async throws {
        let phone = try await rig.phone("three", user: "carl", tags: ["fans"])
        let reply = try await rig.changes(phone.secret, Rig.card(2, "card-1", name: name, token: "update"))
        #expect(reply.status == 200, "\(reply.text)")
    }

    @Test func `Keys have 22 characters, as Airship's own clients demand`() async throws {
        try await run { _, caller in
            for text in [caller.secret, caller.identifier] {
                #expect(text.count == 22)
                #expect(text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
            }
        }
    }

    @Test func `A start without a name is accepted for the audience, with ids, and leaves the attributes alone`()
        async throws
    {
        try await run { rig, caller in
            let reply = try await post(rig, caller, "/api/push/", Self.start)
            #expect(reply.status == 202, "\(reply.text)")
            #expect(reply["ok"]?.bool == true)
            #expect(reply["push_ids"]?.array?.count == 1)
            #expect(reply["operation_id"]?.string == reply["push_ids", "0"]?.string)
            #expect(reply.headers[.contentType] == "application/vnd.urbanairship+json; version=3")
            #expect(reply.headers.contains { $0.name.canonicalName == "data-attribute" && $0.value == "push_ids" })
            let name = try #require(try await rig.activityNames().first)
            #expect(try await rig.activity(name)["phases", "starting"]?.integer == 1)
            #expect(try await rig.declared(name)?.attributes?.text == #"{"gameID":"sports-game-123"}"#)
        }
    }

    @Test func `The card that such a start led to has the name that its app gives it, and is updated under that`()
        async throws
    {
        try await run { rig, caller in
            let phone = try await rig.phone("four", user: "dora", tags: ["dora"])
            let start = Self.start.replacing("fans", with: "dora")
            #expect(try await post(rig, caller, Self.push, start).status == 202)
            let nameless = try #require(try await rig.activityNames().first)
            try await rig.leaveAllStarts()
            _ = try await rig.changes(phone.secret, Rig.card(2, "card", name: "sports-game-123", token: "update"))
            #expect(try await rig.activity(nameless)["phases", "starting"]?.integer == 0)
            #expect(try await rig.activity("sports-game-123")["phases", "live"]?.integer == 1)
            let update = Self.body(#"{"name":"sports-game-123","event":"update","content_state":{"status":"On"}}"#)
            #expect(try await post(rig, caller, Self.push, update).status == 202)
            #expect(try await rig.declared("sports-game-123")?.content.state?.text == #"{"status":"On"}"#)
        }
    }

    @Test func `A card whose name the phone gives is one card, in one report`() async throws {
        try await run { rig, caller in
            let phone = try await rig.phone("four", user: "dora", tags: ["dora"])
            #expect(try await post(rig, caller, Self.push, Self.start.replacing("fans", with: "dora")).status == 202)
            let nameless = try #require(try await rig.activityNames().first)
            #expect(try await rig.call(.get, "/v1/overview").text.contains("nameless:") == false)
            try await rig.leaveAllStarts()
            _ = try await rig.changes(phone.secret, Rig.card(2, "card", name: "game", token: "update"))
            let funnel = try await rig.call(.get, "/v1/activities/game/report")["funnel"]?.object
            for member in ["targeted", "eligible", "startsAccepted", "appeared", "appearedByPush", "withToken"] {
                #expect(funnel?[member]?.integer == 1, "\(member)")
            }
            #expect(funnel?["appearedByApp"]?.integer == 0)
            let before = try await rig.call(.get, "/v1/activities/\(nameless)/report")["funnel"]?.object
            #expect(before?["targeted"]?.integer == 0)
            #expect(try await rig.activity(nameless)["phases", "untracked"]?.integer ?? 0 == 0)
            #expect(try await rig.activityNames() == ["game"])
            #expect(try await events(rig) == ["card.appeared"])
        }
    }

    @Test func `A card that is tracked under a second name is one card, under that name`() async throws {
        try await run { rig, _ in
            let phone = try await rig.phone("four", user: "dora", tags: ["dora"])
            for (sequence, name) in [(2, "one"), (3, "two")] {
                _ = try await rig.changes(phone.secret, Rig.card(sequence, "card", name: name, token: "update"))
            }
            for (name, count) in [("one", 0), ("two", 1)] {
                let report = try await rig.call(.get, "/v1/activities/\(name)/report")
                #expect(report["funnel", "appeared"]?.integer == count, "\(name)")
                #expect(report["funnel", "withToken"]?.integer == count, "\(name)")
                #expect(try await rig.activity(name)["phases", "live"]?.integer ?? 0 == count, "\(name)")
            }
            #expect(try await events(rig) == ["card.appeared", "card.appeared"])
        }
    }

    /// The kinds of the events of cards, oldest first.
    private func events(_ rig: Rig) async throws -> [String] {
        let lines = try await rig.call(.get, "/v1/events?types=card.*").text.split(separator: "\n")
        return try lines.compactMap { try JSONValue(parsing: Array($0.utf8)).object?["type"]?.string }
    }

    @Test func `A start after an end begins anew under the name that its app gives it`() async throws {
        try await run { rig, caller in
            let phone = try await rig.phone("four", user: "dora", tags: ["dora"])
            let start = Self.start.replacing("fans", with: "dora")
            for round in 1...2 {
                #expect(try await post(rig, caller, Self.push, start).status == 202)
                try await rig.leaveAllStarts()
                rig.clock.advance(60)
                _ = try await rig.changes(
                    phone.secret, Rig.card(round * 2, "card-\(round)", name: "game", token: "update-\(round)"))
                #expect(try await rig.activity("game")["phases", "live"]?.integer == 1)
                #expect(try await rig.activity("game")["generation"]?.integer == round)
                let end = Self.body(#"{"name":"game","event":"end"}"#)
                #expect(try await post(rig, caller, Self.push, end).status == 202)
                rig.clock.advance(60)
            }
        }
    }

    @Test func `An update carries what Apple is told, and an audience makes it a scope`() async throws {
        try await run { rig, caller in
            try await begin("game", on: rig)
            let all = #"""
                {"name":"game","event":"update","content_state":{"status":"Game starting!"},"dismissal_date":1671379200,
                "alert":{"title":"Game is starting","body":"Tune in!","sound":"bell.caf"},"priority":10,
                "stale_date":1671379200,"relevance_score":50,"timestamp":1671375599}
                """#
            let reply = try await post(rig, caller, Self.push, Self.body(all))
            #expect(reply.status == 202, "\(reply.text)")
            #expect(reply["warnings"]?.text.contains("dismissal_date") == true)
            let declared = try #require(try await rig.declared("game"))
            #expect(declared.scope == .everyone)
            #expect(declared.content.staleDate == 1_671_379_200)
            #expect(declared.content.relevanceScore == 50)
            #expect(declared.content.priority == .immediate)
            #expect(declared.content.alert?.body.object?["sound"]?.string == "bell.caf")
            #expect(declared.asOf == Instant(second: 1_671_375_599))
            let some = Self.body(
                #"{"name":"game","event":"update","content_state":{"status":"For fans"}}"#,
                audience: #"{"AND":[{"tag":"fans"},{"not":{"named_user":"anna"}}]}"#)
            #expect(try await post(rig, caller, Self.push, some).status == 202)
            #expect(try await rig.declared("game")?.scope == .members(count: 1))
        }
    }

    @Test func `An update without a state repeats the last one with its alert, and an end ends`() async throws {
        try await run { rig, caller in
            try await begin("game", on: rig)
            _ = try await post(
                rig, caller, Self.push, Self.body(#"{"name":"game","event":"update","content_state":{"n":1.50}}"#))
            let alert = Self.body(#"{"name":"game","event":"update","alert":{"title":"Still on","body":"Yes"}}"#)
            #expect(try await post(rig, caller, Self.push, alert).status == 202)
            #expect(try await rig.declared("game")?.content.state?.text == #"{"n":1.50}"#)
            let end = Self.body(#"{"name":"game","event":"end","priority":10,"dismissal_date":1671379200}"#)
            #expect(try await post(rig, caller, Self.push, end).status == 202)
            let declared = try #require(try await rig.declared("game"))
            #expect(declared.kind == .end)
            #expect(declared.content.dismissalDate == 1_671_379_200)
        }
    }

    @Test func `Up to a hundred objects go together, all or none; a name that nobody has is no error`() async throws {
        try await run { rig, caller in
            try await begin("game", on: rig)
            let update = Self.body(#"{"name":"game","event":"update","content_state":{}}"#)
            let unknown = Self.body(#"{"name":"none","event":"end"}"#)
            let reply = try await post(rig, caller, Self.push, "[\(update),\(unknown)]")
            #expect(reply.status == 202, "\(reply.text)")
            #expect(reply["push_ids"]?.array?.count == 2)
            #expect(reply["warnings"]?.text.contains("none") == true)
            let wrong = try await post(rig, caller, Self.push, "[\(update),{}]")
            #expect(wrong.status == 400)
            #expect(wrong["details", "path"]?.string == "[1].audience")
            #expect(try await rig.activity("game")["version"]?.integer == 1)
            let many = try await post(
                rig, caller, Self.push, "[\(Array(repeating: update, count: 101).joined(separator: ","))]")
            #expect(many.status == 400)
        }
    }

    @Test(
        arguments: [
            (#""all""#, 2), (#"{"tag":"fans"}"#, 1), (#"{"tag":["fans","press"]}"#, 2),
            (#"{"tag":"fans","group":"device"}"#, 1),
            (#"{"tag":"fans","group":"crm"}"#, 0), (#"{"named_user":"bert"}"#, 1),
            (#"{"or":[{"tag":"fans"},{"tag":"press"}]}"#, 2),
            (#"{"OR":[{"tag":"fans"},{"tag":"press"}]}"#, 2), (#"{"NOT":{"tag":"fans"}}"#, 1),
            (#"{"not":[{"tag":"fans"}]}"#, 1),
            (#"{"ios_channel":"two"}"#, 1), (#"{"channel":["one","none"]}"#, 1),
            (#"{"attribute":"city","operator":"equals","value":"Paris"}"#, 1),
            (#"{"attribute":"city","operator":"is_empty"}"#, 1),
            (#"{"attribute":"age","operator":"greater","value":20}"#, 1),
            (#"{"attribute":"age","operator":"less","value":20}"#, 0),
            (#"{"attribute":"born","operator":"before","value":"2001-01-01T00:00:00Z"}"#, 1),
            (
                #"{"attribute":"born","operator":"range","value":{"after":"1999-01-01T00:00:00Z","before":"1999-06-01T00:00:00Z"}}"#,
                0
            ),
        ])
    func `Airship's selectors choose`(_ audience: String, _ count: Int) async throws {
        try await run { rig, caller in
            let app = try #require(try await rig.store.read { try $0.app(bundleID: "org.example.match") })
            try await rig.store.write { ledger in
                var user = try #require(try ledger.user("anna", in: app.id))
                user.traits.attributes = ["city": "Paris", "age": 30, "born": "2000-01-01T00:00:00Z"]
                try ledger.put(user)
            }
            let start = Self.start.replacing(#"{"tag":"fans"}"#, with: audience)
            let reply = try await post(rig, caller, Self.push, start)
            #expect(reply.status == 202, "\(reply.text)")
            let name = try #require(try await rig.activityNames().first)
            #expect(try await rig.activity(name)["phases", "starting"]?.integer == count)
        }
    }

    @Test(
        arguments: [
            (start.replacing(#"{"tag":"fans"}"#, with: #"{"tags":"fans"}"#), "audience.tags"),
            (start.replacing(#"{"tag":"fans"}"#, with: #"{"android_channel":"x"}"#), "audience.android_channel"),
            (start.replacing(#"{"tag":"fans"}"#, with: #"{"or":[]}"#), "audience.or"),
            (start.replacing(#"["ios"]"#, with: #"["ios","android"]"#), "device_types"),
            (start.replacing(#"["ios"]"#, with: #"["android"]"#), "device_types"),
            (start.replacing(#""event":"start""#, with: #""event":"begin""#), "notification.ios.live_activity.event"),
            (start.replacing(#""priority":10"#, with: #""priority":7"#), "notification.ios.live_activity.priority"),
            (start.replacing(#""priority":10"#, with: #""colour":"red""#), "notification.ios.live_activity.colour"),
            (
                start.replacing(#""body":"Tune in!""#, with: #""text":"Tune in!""#),
                "notification.ios.live_activity.alert.text"
            ),
            (start.replacing(#","body":"Tune in!""#, with: ""), "notification.ios.live_activity.alert.body"),
            (
                start.replacing(#""attributes_type":"Match","#, with: ""),
                "notification.ios.live_activity.attributes_type"
            ),
            (body(#"{"event":"update","content_state":{}}"#), "notification.ios.live_activity.name"),
            (body(#"{"name":"x","event":"update","stale_date":"soon"}"#), "notification.ios.live_activity.stale_date"),
            (
                body(#"{"name":"x","event":"update","stale_date":1671379200000}"#),
                "notification.ios.live_activity.stale_date"
            ),
            (#"{"audience":"all","device_types":["ios"],"notification":{"alert":"Hi"}}"#, "notification.ios"),
            (
                #"{"audience":"all","device_types":["ios"],"notification":{"ios":{"alert":"Hi"}}}"#,
                "notification.ios.live_activity"
            ),
            (
                #"{"audience":"all","device_types":["ios"],"notification":{"ios":{}},"x":1}"#,
                "notification.ios.live_activity"
            ),
        ])
    func `What is wrong is 400 with the member's path, from the check as from the push`(
        _ body: String, _ path: String
    ) async throws {
        try await run { rig, caller in
            for call in ["/api/push/", "/api/push/validate", "/api/push/validate/"] {
                let reply = try await post(rig, caller, call, body)
                #expect(reply.status == 400, "\(reply.text)")
                #expect(reply["ok"]?.bool == false)
                #expect(reply["error_code"]?.integer == 40_001)
                #expect(reply["details", "path"]?.string == path, "\(reply.text)")
            }
            #expect(try await rig.activityNames().isEmpty)
        }
    }

    @Test func `A check sends nothing, and what is no JSON has its line and column`() async throws {
        try await run { rig, caller in
            let reply = try await post(rig, caller, "/api/push/validate", Self.start)
            #expect((reply.status, reply.text) == (200, #"{"ok":true}"#))
            #expect(try await rig.activityNames().isEmpty)
            let broken = try await post(rig, caller, Self.push, "{\n  \"audience\": {\"tag\": \"a\",}\n}")
            #expect((broken.status, broken["error_code"]?.integer) == (400, 40_000))
            #expect(broken["details", "location", "line"]?.integer == 2)
            #expect(broken["details", "location", "column"]?.integer == 27, "\(broken.text)")
        }
    }

    @Test func `Basic, Bearer with the app key, and a token of OAuth open it; the version has to be named`()
        async throws
    {
        try await run { rig, caller in
            let pair = "\(caller.identifier):\(caller.secret)"
            let basic = "Basic " + Base64.text(of: pair)
            let accept = "application/vnd.urbanairship+json; version=3"
            func status(_ headers: [String: String]) async throws -> Int {
                try await rig.call(.post, "/api/push/validate", Self.start, key: nil, headers: headers).status
            }
            #expect(try await status(["Authorization": basic, "Accept": accept]) == 200)
            #expect(try await status(["Authorization": basic, "Accept": "application/json"]) == 406)
            #expect(try await status(["Authorization": "Bearer \(caller.secret)", "Accept": accept]) == 401)
            #expect(
                try await status(
                    [
                        "Authorization": "Bearer \(caller.secret)", "X-UA-Appkey": String(repeating: "x", count: 22),
                        "Accept": accept,
                    ]) == 401)
            let token = try await rig.call(
                .post, "/token", "grant_type=client_credentials&sub=app%3A\(caller.identifier)&scope=psh", key: nil,
                headers: ["Authorization": basic, "Content-Type": "application/x-www-form-urlencoded"])
            #expect(token.status == 200, "\(token.text)")
            #expect((token["token_type"]?.string, token["expires_in"]?.integer) == ("Bearer", 3_600))
            let access = try #require(token["access_token"]?.string)
            let bearer = ["Authorization": "Bearer \(access)", "X-UA-Appkey": caller.identifier, "Accept": accept]
            #expect(try await status(bearer) == 200)
            #expect(try await status(bearer.merging(["Authorization": "Bearer \(access)0"]) { $1 }) == 401)
            rig.clock.advance(3_601)
            #expect(try await status(bearer) == 401)
            let wrong = try await rig.call(
                .post, "/token", "grant_type=client_credentials", key: nil,
                headers: [
                    "Authorization": "Basic " + Base64.text(of: "a:b"),
                    "Content-Type": "application/x-www-form-urlencoded",
                ])
            #expect((wrong.status, wrong["error"]?.string) == (401, "invalid_client"))
        }
    }

    @Test func `A check finds what the push would be refused for`() async throws {
        try await run { rig, caller in
            let long = Self.start.replacing("sports-game-123", with: String(repeating: "x", count: 5_000))
            for path in ["/api/push", "/api/push/validate"] {
                let reply = try await post(rig, caller, path, long)
                #expect((reply.status, reply["error_code"]?.integer) == (400, 40_002), "\(reply.text)")
            }
        }
    }

    @Test func `A lenient server takes calls that name no version`() async throws {
        try await run(lenient: true) { rig, caller in
            let reply = try await rig.post(
                "/api/push/validate", Self.start, by: caller, of: .airship, headers: ["Accept": "*/*"])
            #expect(reply.status == 200)
        }
    }
}
