import EyotContract
import EyotDomain
import Testing

/// Netmera's calls with bodies as its pages have them.
@Suite struct `Netmera's API` {
    static let bulk = "/rest/3.0/sendBulkNotification"
    static let update = "/rest/3.0/update-live-activity"

    static let message = #"""
        "title":"Live Activity Start","body":"Here your live activity","platforms":["IOS"],
        "contentState":{"homeTeamScore":0,"awayTeamScore":0,"matchStatus":"1st Half"},
        "liveActAttr":{"leagueName":"Premier League"},"liveActAttrType":"Match"
        """#

    static func start(
        _ more: String = #","type":"LIVE_ACTIVITY","groupId":"g""#, target: String = #"{"sendToAll":true}"#
    )
        -> String
    { #"{"message":{\#(message)\#(more)},"target":\#(target)}"# }

    /// Two phones, and a backend that calls Netmera's API.
    func run(
        lenient: Bool = false, _ body: @Sendable @escaping (Rig, VendorCaller) async throws -> Void
    ) async throws {
        try await Rig.run(lenientVendors: lenient ? [.netmera] : []) { rig in
            try await rig.phone("one", user: "anna", tags: ["fans"])
            try await rig.phone("two", user: "bert", tags: ["press"])
            try await body(rig, try await rig.caller(of: .netmera))
        }
    }

    private func post(_ rig: Rig, _ caller: VendorCaller, _ path: String, _ body: String) async throws -> Reply {
        try await rig.post(path, body, by: caller, of: .netmera)
    }

    @Test func `A bulk start reaches whom it targets, with the group among the attributes and an alert`() async throws {
        try await run { rig, caller in
            let reply = try await post(rig, caller, Self.bulk, Self.start())
            #expect(reply.status == 200, "\(reply.text)")
            #expect(reply["notificationKey"]?.integer == 1)
            let activity = try await rig.activity("g")
            #expect(activity["type"]?.string == "Match")
            let declared = try #require(try await rig.declared("g"))
            #expect(declared.attributes?.text == #"{"leagueName":"Premier League","netmeraGroupId":"g"}"#)
            #expect(
                declared.content.alertOfStarts?.body.text
                    == #"{"title":"Live Activity Start","body":"Here your live activity"}"#)
            #expect(activity["contentState", "matchStatus"]?.string == "1st Half")
            #expect(activity["phases", "starting"]?.integer == 2)
        }
    }

    @Test(
        arguments: [
            #","type":"LIVE_ACTIVITY","groupId":"g""#,
            #","type":"LIVE_ACTIVITY","groupId":"g","liveActEndDate":"2022-12-18T17:00:00Z""#,
        ])
    func `The shapes of a bulk start that the pages have are taken`(_ more: String) async throws {
        try await run { rig, caller in
            #expect(try await post(rig, caller, Self.bulk, Self.start(more)).status == 200)
            let activity = try await rig.activity("g")
            #expect((activity["endsAt"] != nil) == more.contains("liveActEndDate"), "\(activity.text)")
        }
    }

    @Test
    func `Type and group may stand beside the message, the group among the attributes, and the text be called so`()
        async throws
    {
        try await run { rig, caller in
            let beside =
                #"{"type":"LIVE_ACTIVITY","message":{\#(Self.message)},"target":{"tag":["fans"]},"groupId":"a"}"#
                .replacing(#""body""#, with: #""text""#)
            let first = try await post(rig, caller, Self.bulk, beside)
            #expect(first.status == 200, "\(first.text)")
            let one = try await rig.activity("a")
            #expect(one["phases", "starting"]?.integer == 1)
            let within = Self.start(#","type":"LIVE_ACTIVITY""#, target: #"{"extId":"bert"}"#)
                .replacing(#""leagueName""#, with: #""netmeraGroupId":"b","leagueName""#)
            let second = try await post(rig, caller, Self.bulk, within)
            #expect(second.status == 200, "\(second.text)")
            let other = try await rig.activity("b")
            #expect(other["phases", "starting"]?.integer == 1)
        }
    }

    @Test(
        arguments: [
            (#"{"tag":["fans"]}"#, 1), (#"{"tag":["fans","press"]}"#, 2), (#"{"tag":{"$and":["fans","press"]}}"#, 0),
            (#"{"tag":{"$not":["fans"]}}"#, 1), (#"{"tag":{"$or":["fans","none"]}}"#, 1),
            (#"{"extId":["anna","bert"]}"#, 2),
            (#"{"tag":["fans"],"extId":"bert"}"#, 0), (#"{"sendToAll":false,"tag":["press"]}"#, 1),
            (#"{"segment":["parisians"]}"#, 1), (#"{"segment":{"$not":["parisians"]}}"#, 1),
            (#"{"profile":{"city":["Paris","Rome"]}}"#, 1),
            (#"{"profile":{"city":["Paris"],"age":[31]}}"#, 0), (#"{"profile":{"age":30},"tag":"fans"}"#, 1),
        ])
    func `A target chooses by tags and external ids`(_ target: String, _ count: Int) async throws {
        try await run { rig, caller in
            for (path, body) in [
                ("/v1/users/anna", #"{"tags":["fans"],"attributes":{"city":"Paris","age":30}}"#),
                ("/v1/segments/parisians", #"{"audience":{"attribute":{"name":"city","is":"Paris"}}}"#),
            ] { #expect(try await rig.call(.put, path, body).status == 200) }
            let reply = try await post(rig, caller, Self.bulk + "/", Self.start(target: target))
            #expect(reply.status == 200, "\(reply.text)")
            #expect(try await rig.activity("g")["phases", "starting"]?.integer ?? 0 == count)
        }
    }

    @Test func `An update goes to the group, and an end without a state keeps the last one`() async throws {
        try await run { rig, caller in
            _ = try await post(rig, caller, Self.bulk, Self.start())
            let update = try await post(
                rig, caller, Self.update,
                #"{"groupId":"g","action":"UPDATE","contentState":{"homeTeamScore":1},"staleDate":"2022-12-18T16:21:37Z","priority":10}"#
            )
            #expect(update.status == 200, "\(update.text)")
            #expect(try await rig.activity("g")["contentState", "homeTeamScore"]?.integer == 1)
            let end = try await post(
                rig, caller, Self.update,
                #"{"groupId":"g","action":"END","dismissalDate":"2022-12-18T16:00:00Z","priority":10}"#)
            #expect(end.status == 200, "\(end.text)")
            let activity = try await rig.activity("g")
            #expect(activity["state"]?.string == "ended" || activity["endedAt"] != nil, "\(activity.text)")
            #expect(activity["contentState", "homeTeamScore"]?.integer == 1)
            let late = try await post(
                rig, caller, Self.update, #"{"groupId":"g","action":"UPDATE","contentState":{"homeTeamScore":2}}"#)
            #expect(late.status == 400)
            #expect(late["code"]?.integer == 5003)
        }
    }

    @Test func `An end date that has passed plans nothing, and the answer says so`() async throws {
        try await run { rig, caller in
            let reply = try await post(
                rig, caller, Self.bulk,
                Self.start(#","type":"LIVE_ACTIVITY","groupId":"g","liveActEndDate":"2022-01-28T15:35:37Z""#))
            #expect(reply.status == 200)
            #expect(reply["warnings"]?.text.contains("liveActEndDate") == true)
        }
    }

    @Test(
        arguments: [
            (#"{"message":{},"target":{"sendToAll":true}}"#, "message.type"),
            (start(#","groupId":"g""#), "message.type"),
            (start(#","type":"PUSH","groupId":"g""#), "message.type"),
            (start(#","type":"LIVE_ACTIVITY""#), "message.groupId"),
            (start(target: "{}"), "target.sendToAll"), (start(target: #"{"sendToAll":false}"#), "target.sendToAll"),
            (#"{"message":{\#(message),"type":"LIVE_ACTIVITY","groupId":"g"}}"#, "target"),
            (start().replacing(#""title":"Live Activity Start","#, with: ""), "message.title"),
            (start().replacing(#""body":"Here your live activity","#, with: ""), "message.body"),
            (start().replacing(#"["IOS"]"#, with: #"["ANDROID"]"#), "message.platforms"),
            (start().replacing(#""liveActAttrType":"Match""#, with: #""x":1"#), "message.liveActAttrType"),
            (start(#","type":"LIVE_ACTIVITY","groupId":"g","staleDate":"2022-12-18T17:00:00Z""#), "message.staleDate"),
            (start(#","type":"LIVE_ACTIVITY","groupId":7"#), "message.groupId"),
            (start(target: #"{"tag":{"$xor":["a"]}}"#), "target.tag.$xor"),
            (start(target: #"{"tag":[]}"#), "target.tag"),
            (start(target: #"{"location":{}}"#), "target.location"),
        ])
    func `A bulk start that lacks something, or has it wrong, is 400 with 2020 and the member's name`(
        _ body: String, _ member: String
    ) async throws {
        try await run { rig, caller in
            let reply = try await post(rig, caller, Self.bulk, body)
            #expect(reply.status == 400, "\(reply.text)")
            #expect(reply["code"]?.integer == 2020)
            #expect(reply["error"]?.string?.hasPrefix(member + " ") == true, "\(reply.text)")
            #expect(try await rig.activity("g").status == 404)
        }
    }

    @Test(
        arguments: [
            #""action":"UPDATE","contentState":{},"dismissalDate":"2022-12-18T16:00:00Z""#,
            #""action":"END","staleDate":"2022-12-18T16:00:00Z""#,
            #""action":"UPDATE","contentState":{},"staleDate":"2022-12-18T19:00:00+03:00""#,
        ])
    func `A date that is misplaced or not in UTC is refused, unless the server is lenient`(_ body: String) async throws
    {
        for lenient in [false, true] {
            try await run(lenient: lenient) { rig, caller in
                _ = try await post(rig, caller, Self.bulk, Self.start())
                let reply = try await post(rig, caller, Self.update, #"{"groupId":"g",\#(body)}"#)
                #expect(reply.status == (lenient ? 200 : 400), "\(reply.text)")
                if !lenient { #expect(reply["code"]?.integer == 2020) }
            }
        }
    }

    static let definition = #"""
        {"title":"Live Activity Start","message":"Here your live activity","platforms":["IOS"],
        "contentState":{"homeTeamScore":2,"awayTeamScore":3,"matchStatus":"2nd Half"},
        "liveActAttr":{"leagueName":"Premier League"},"liveActAttrType":"Match"}
        """#

    @Test
    func `A definition sends nothing, and is sent to one user after another by its key, be that text or a number`()
        async throws
    {
        try await run { rig, caller in
            let made = try await post(rig, caller, "/rest/3.0/createNotificationDefinition", Self.definition)
            let key = try #require(made["notificationKey"]?.integer, "\(made.text)")
            #expect(try await rig.activityNames().isEmpty)
            for (form, user) in [("\"\(key)\"", "anna"), ("\(key)", "bert")] {
                let reply = try await post(
                    rig, caller, "/rest/3.0/sendNotification",
                    #"{"notificationKey":\#(form),"message":{"groupId":"aw-ch"},"target":{"extId":"\#(user)"}}"#)
                #expect(reply.status == 200, "\(reply.text)")
            }
            let activity = try await rig.activity("aw-ch")
            #expect(activity["phases", "starting"]?.integer == 2)
            let declared = try #require(try await rig.declared("aw-ch"))
            #expect(declared.content.state?.object?["awayTeamScore"]?.integer == 3)
            #expect(declared.attributes?.text == #"{"leagueName":"Premier League","netmeraGroupId":"aw-ch"}"#)
            let both = try await post(
                rig, caller, "/rest/3.0/sendNotification",
                #"[{"notificationKey":\#(key),"message":{"groupId":"x"},"target":{"extId":"anna"}},"#
                    + #"{"notificationKey":7,"message":{"groupId":"y"},"target":{"extId":"bert"}}]"#)
            #expect((both.status, both["code"]?.integer) == (400, 5003), "\(both.text)")
            #expect(try await rig.activity("x").status == 404)
        }
    }

    @Test func `The group may stand in the definition; without one, or without a user, nothing is sent`() async throws {
        try await run { rig, caller in
            func make(_ body: String) async throws -> Int {
                let made = try await post(rig, caller, "/rest/3.0/createNotificationDefinition", body)
                return try #require(made["notificationKey"]?.integer, "\(made.text)")
            }
            let grouped = try await make(Self.definition.replacing(#""title""#, with: #""groupId":"g","title""#))
            let reply = try await post(
                rig, caller, "/rest/3.0/sendNotification", #"{"notificationKey":\#(grouped),"target":{"extId":"anna"}}"#
            )
            #expect(reply.status == 200, "\(reply.text)")
            #expect(try await rig.activity("g")["phases", "starting"]?.integer == 1)
            let plain = try await make(Self.definition)
            for body in [
                #"{"notificationKey":\#(plain),"target":{"extId":"anna"}}"#,
                #"{"notificationKey":\#(plain),"message":{"groupId":"h"},"target":{}}"#,
                #"{"notificationKey":\#(plain),"message":{"groupId":"h"},"target":{"sendToAll":true}}"#,
                #"{"message":{"groupId":"h"},"target":{"extId":"anna"}}"#,
                #"{"notificationKey":"soon","message":{"groupId":"h"},"target":{"extId":"anna"}}"#,
            ] {
                let wrong = try await post(rig, caller, "/rest/3.0/sendNotification", body)
                #expect((wrong.status, wrong["code"]?.integer) == (400, 2020), "\(wrong.text)")
            }
            #expect(try await rig.activity("h").status == 404)
        }
    }

    @Test func `What became of pushes is told by the key that was answered`() async throws {
        try await run { rig, caller in
            let key = try #require(try await post(rig, caller, Self.bulk, Self.start())["notificationKey"]?.integer)
            let headers = caller.headers(.netmera)
            let stats = try await rig.call(
                .get, "/rest/3.0/getPushStats?notificationKey=\(key)", key: nil, headers: headers)
            #expect(
                stats.text
                    == #"{"notificationKey":\#(key),"status":"STARTING","startDate":1671375600000,"#
                    + #""stats":[{"platform":"IOS","sent":0,"failed":0,"clicked":0}]}"#)
            let result = try await rig.call(
                .get, "/rest/3.0/getPushResult?notificationKey=\(key)", key: nil, headers: headers)
            #expect(
                result["list", "0"]?.text
                    == #"{"platform":"IOS","status":"WAITING","installationId":"one","extId":"anna"}"#)
            #expect(result["list"]?.array?.count == 2)
            for path in ["getPushStats", "getPushStats?notificationKey=99", "getPushResult?notificationKey=x"] {
                let wrong = try await rig.call(.get, "/rest/3.0/\(path)", key: nil, headers: headers)
                #expect(wrong.status == 400, "\(wrong.text)")
            }
        }
    }

    @Test func `Failures have Netmera's numbers`() async throws {
        try await run { rig, caller in
            let keyless = try await rig.call(.post, Self.bulk, Self.start(), key: nil)
            #expect((keyless.status, keyless["code"]?.integer) == (403, 2010), "\(keyless.text)")
            let wrong = try await rig.call(
                .post, Self.bulk, Self.start(), key: nil, headers: ["X-netmera-api-key": "eyot_nm_wrong"])
            #expect((wrong.status, wrong["code"]?.integer) == (403, 2010))
            let broken = try await post(rig, caller, Self.bulk, "{")
            #expect((broken.status, broken["code"]?.integer) == (400, 2009))
            let unknown = try await post(rig, caller, "/rest/3.0/sendSMS", "{}")
            #expect((unknown.status, unknown["code"]?.integer) == (404, 2020))
            let method = try await rig.call(.get, Self.bulk, key: nil, headers: caller.headers(.netmera))
            #expect((method.status, method["code"]?.integer) == (405, 2020))
            let group = try await post(rig, caller, Self.update, #"{"groupId":"none","action":"END"}"#)
            #expect((group.status, group["code"]?.integer) == (400, 5003))
            let form = try await rig.post(
                Self.bulk, "a=b", by: caller, of: .netmera, headers: ["Content-Type": "text/plain"])
            #expect((form.status, form["code"]?.integer) == (415, 2009))
            // Blanks around the key are in their samples.
            let blank = try await rig.call(
                .post, Self.bulk, Self.start(), key: nil, headers: ["X-Netmera-Api-Key": "\(caller.secret) "])
            #expect(blank.status == 200)
        }
    }

    @Test func `A vendor's API is not there before there is a key for it, and its key is good for nothing else`()
        async throws
    {
        try await Rig.run { rig in
            let headers = ["X-netmera-api-key": "eyot_nm_x"]
            #expect(try await rig.call(.post, Self.bulk, Self.start(), key: nil, headers: headers).status == 404)
            let caller = try await rig.caller(of: .netmera)
            #expect(try await rig.call(.post, Self.bulk, Self.start(), key: nil, headers: headers).status == 403)
            #expect(try await rig.call(.get, "/v1/activities", key: caller.secret).code == "keyForbidden")
            let ours = try await rig.call(
                .post, Self.bulk, Self.start(), key: nil, headers: ["X-netmera-api-key": rig.match.api])
            #expect((ours.status, ours["code"]?.integer) == (403, 2022))
        }
    }
}
