import EyotContract
import EyotDomain
import Testing

/// Braze's calls with bodies as its pages have them.
@Suite struct `Braze's API` {
    static let start = "/messages/live_activity/start"
    static let update = "/messages/live_activity/update"

    private static func start(
        _ app: String, _ more: String = #""external_user_ids":["anna","bert","none"]"#, id: String = "game"
    ) -> String {
        #"""
        {"app_id":"\#(app)","activity_id":"\#(id)","activity_attributes_type":"Match",
        "activity_attributes":{"gameName":"Superb Owl"},"content_state":{"teamOneScore":0.50,"at":"2024-01-22T16:55:49+0000"},
        "notification":{"alert":{"title":"Kick-off","body":"Now","sound":"bell.caf"}},
        "stale_date":"2022-12-18T16:55:49+0000",\#(more)}
        """#
    }

    private func run(_ body: @Sendable @escaping (Rig, VendorCaller) async throws -> Void) async throws {
        try await Rig.run { rig in
            try await rig.phone("one", user: "anna", tags: ["fans"])
            try await rig.phone("two", user: "bert", tags: ["press"])
            try await body(rig, try await rig.caller(of: .braze))
        }
    }

    private func post(_ rig: Rig, _ caller: VendorCaller, _ path: String, _ body: String) async throws -> Reply {
        try await rig.post(path, body, by: caller, of: .braze)
    }

    @Test func `A start reaches its users, with the id among the attributes and the state as it was written`()
        async throws
    {
        try await run { rig, caller in
            let reply = try await post(rig, caller, Self.start, Self.start(caller.identifier))
            #expect(reply.status == 201)
            #expect(reply.text == #"{"message":"success","errors":["1 of 3 users named has no device: none."]}"#)
            #expect(try await rig.activity("game")["phases", "starting"]?.integer == 2)
            let declared = try #require(try await rig.declared("game"))
            #expect(declared.attributes?.text == #"{"gameName":"Superb Owl","brazeActivityId":"game"}"#)
            #expect(declared.content.state?.text == #"{"teamOneScore":0.50,"at":"2024-01-22T16:55:49+0000"}"#)
            #expect(declared.content.staleDate == 1_671_382_549)
            #expect(declared.content.alertOfStarts?.body.object?["sound"]?.string == "bell.caf")
            #expect(declared.content.priority == .immediate)
        }
    }

    @Test(
        arguments: [
            (#"{"alert":"Goal"}"#, 10), (#"{"alert":{"title":"Goal"},"content-available":true}"#, 5),
            (#"{"content-available":1}"#, 5), (#"{"content-available":false}"#, 10), (#"{"apns_priority":5}"#, 5),
            (#"{"apns_priority":10,"content-available":true}"#, 10),
            (#"{"alert":{"title_loc_key":"K","title_loc_args":["a"],"body":"b"}}"#, 10),
        ])
    func `The priority is Apple's own unless the caller says otherwise`(_ notification: String, _ priority: Int)
        async throws
    {
        try await run { rig, caller in
            _ = try await post(rig, caller, Self.start, Self.start(caller.identifier))
            let reply = try await post(
                rig, caller, Self.update,
                #"{"app_id":"\#(caller.identifier)","activity_id":"game","content_state":{"n":1},"notification":\#(notification)}"#
            )
            #expect((reply.status, reply.text) == (201, #"{"message":"success"}"#))
            #expect(try await rig.declared("game")?.content.priority?.rawValue == priority)
            if notification.contains("title_loc_key") {
                #expect(
                    try await rig.declared("game")?.content.alert?.body.text
                        == #"{"title":{"loc-key":"K","loc-args":["a"]},"body":"b"}"#)
            }
        }
    }

    @Test(
        "A dismissal date that has passed ends the activity and removes its cards at once",
        arguments: ["", #","end_activity":true"#])
    func pastDismissal(more: String) async throws {
        try await run { rig, caller in
            _ = try await post(rig, caller, Self.start, Self.start(caller.identifier))
            let past =
                #""app_id":"\#(caller.identifier)","activity_id":"game","content_state":{"n":1},"dismissal_date":"2020-01-01T00:00:00+0000""#
            #expect(try await post(rig, caller, Self.update, "{\(past)\(more)}").text == #"{"message":"success"}"#)
            let declared = try #require(try await rig.declared("game"))
            #expect(declared.kind == .end)
            #expect((declared.content.dismissalDate ?? .max) < Rig.start.second)
        }
    }

    @Test func `An end_activity that is false keeps the activity, and a dismissal date ahead plans the end`()
        async throws
    {
        try await run { rig, caller in
            _ = try await post(rig, caller, Self.start, Self.start(caller.identifier))
            let game =
                #""app_id":"\#(caller.identifier)","activity_id":"game","content_state":{"n":1},"dismissal_date""#
            let kept = try await post(
                rig, caller, Self.update, #"{\#(game):"2020-01-01T00:00:00+0000","end_activity":false}"#)
            #expect(kept["errors"]?.text.contains("dismissal_date") == true, "\(kept.text)")
            #expect(try await rig.declared("game")?.kind == .state)
            let planned = try await post(rig, caller, Self.update, #"{\#(game):"2022-12-18T16:00:00+0000"}"#)
            #expect(planned.text == #"{"message":"success"}"#)
            #expect(try await rig.activity("game")["endsAt"]?.string == "2022-12-18T16:00:00Z")
        }
    }

    @Test func `An alert may be one text or keys of texts, and a past dismissal of a start plans nothing`() async throws
    {
        try await run { rig, caller in
            let alert = #""alert":{"title":"Kick-off","body":"Now","sound":"bell.caf"}"#
            for (index, other) in [#""alert":"Now""#, #""alert":{"title_loc_key":"K","loc_key":"B"}"#].enumerated() {
                let body = Self.start(caller.identifier, id: "g\(index)").replacing(alert, with: other)
                #expect(try await post(rig, caller, Self.start, body).status == 201)
            }
            #expect(try await rig.declared("g0")?.content.alertOfStarts?.body.text == #"{"title":"Test","body":"Now"}"#)
            let past = #""external_user_ids":["anna"],"dismissal_date":"2020-01-01T00:00:00+0000""#
            let reply = try await post(rig, caller, Self.start, Self.start(caller.identifier, past, id: "g2"))
            #expect(reply.status == 201 && reply["errors"]?.text.contains("dismissal_date") == true, "\(reply.text)")
        }
    }

    @Test func `The app's keys share its app id, and one that a backend has already is kept`() async throws {
        try await run { rig, caller in
            #expect(try await rig.caller(of: .braze).identifier == caller.identifier)
            let own = try await rig.call(.post, "/v1/keys", #"{"name":"k","plane":"braze","identifier":"my-app"}"#)
            #expect(own["identifier"]?.string == "my-app")
        }
    }

    @Test func `Of an id that nobody has the answer is success, and says so`() async throws {
        try await run { rig, caller in
            let reply = try await post(
                rig, caller, Self.update,
                #"{"app_id":"\#(caller.identifier)","activity_id":"none","content_state":{},"colour":1}"#)
            #expect(reply.status == 201)
            #expect(reply["errors"]?.array?.count == 2, "\(reply.text)")
        }
    }

    @Test(
        arguments: [
            (
                #""custom_audience":{"custom_attribute":{"custom_attribute_name":"city","comparison":"equals","value":"Paris"}}"#,
                1
            ),
            (
                #""audience":{"AND":[{"custom_attribute":{"custom_attribute_name":"age","comparison":"greater_than","value":18}},{"custom_attribute":{"custom_attribute_name":"pro","comparison":"does_not_exist"}}]}"#,
                1
            ),
            (
                #""custom_audience":{"custom_attribute":{"custom_attribute_name":"age","comparison":"less_than_or_equal_to","value":18}}"#,
                0
            ),
            (
                #""custom_audience":{"custom_attribute":{"custom_attribute_name":"city","comparison":"not_equal","value":"Paris"}}"#,
                0
            ),
            (
                #""custom_audience":{"OR":[{"last_used_app":{"comparison":"after","value":"2020-01-01T00:00:00+0000"}},{"push_subscription_status":{"comparison":"is","value":"opted_in"}}]}"#,
                2
            ),
            (#""custom_audience":{"last_used_app":{"comparison":"before","value":"2020-01-01T00:00:00+0000"}}"#, 0),
            (
                #""custom_audience":{"custom_attribute":{"custom_attribute_name":"born","comparison":"greater_than_x_days_ago","value":365}}"#,
                1
            ),
            (#""segment_id":"parisians""#, 1),
        ])
    func `Segments and connected audiences choose`(_ audience: String, _ count: Int) async throws {
        try await run { rig, caller in
            let app = try #require(try await rig.store.read { try $0.app(bundleID: "org.example.match") })
            try await rig.store.write { ledger in
                var user = try #require(try ledger.user("anna", in: app.id))
                user.traits.attributes = ["city": "Paris", "age": 30, "born": "2000-01-01T00:00:00Z"]
                try ledger.put(user)
                try ledger.put(
                    Segment(
                        app: app.id, name: "parisians", audience: ["attribute": ["name": "city", "is": "Paris"]],
                        updatedAt: Rig.start))
            }
            let reply = try await post(rig, caller, Self.start, Self.start(caller.identifier, audience))
            #expect(reply.status == 201, "\(reply.text)")
            #expect(try await rig.activity("game")["phases", "starting"]?.integer == count)
        }
    }

    @Test(
        arguments: [
            ("", "No Recipients"), (#""external_user_ids":[]"#, "No Recipients"),
            (
                #""external_user_ids":[\#((0...50).map { "\"u\($0)\"" }.joined(separator: ","))]"#,
                "The max number of ids per request was exceeded"
            ),
            (#""external_user_ids":["a"],"segment_id":"s""#, "Bad Request"), (#""segment_id":"none""#, "Bad Request"),
            (#""external_user_ids":["a"],"dismissal_date":"soon""#, "Bad Request"),
            (
                #""custom_audience":{"email_subscription_status":{"comparison":"has","value":"opted_in"}}"#,
                "Bad Request"
            ),
        ])
    func `What is wrong is 400 in Braze's words`(_ more: String, _ message: String) async throws {
        try await run { rig, caller in
            let body = Self.start(caller.identifier, more.isEmpty ? #""x":1"# : more)
            let reply = try await post(rig, caller, Self.start, body)
            #expect(reply.status == 400, "\(reply.text)")
            #expect(reply["message"]?.string == message, "\(reply.text)")
            #expect(try await rig.activity("game").status == 404)
        }
    }

    @Test func `Failures are Braze's`() async throws {
        try await run { rig, caller in
            let body = Self.start(caller.identifier)
            #expect(try await rig.call(.post, Self.start, body, key: nil).status == 401)
            #expect(try await rig.call(.post, Self.start, body, key: "wrong").status == 401)
            let ours = try await rig.call(.post, Self.start, body)
            #expect((ours.status, ours["message"]?.string) == (403, "Access Denied"))
            let broken = try await post(rig, caller, Self.start, "{")
            #expect(broken.status == 400)
            #expect(broken.json?.object?.members.map(\.name) == ["error"])
            #expect(try await post(rig, caller, Self.start, Self.start("other")).status == 400)
            for member in [
                "app_id", "activity_id", "activity_attributes_type", "activity_attributes", "content_state",
                "notification",
            ] {
                let reply = try await post(rig, caller, Self.start, body.replacing("\"\(member)\"", with: "\"other\""))
                #expect(reply.status == 400)
                #expect(reply["errors", "0"]?.string == "\(member) is missing", "\(reply.text)")
            }
            let big = body.replacing("Superb Owl", with: String(repeating: "x", count: 5_000))
            let long = try await post(rig, caller, Self.start, big)
            #expect((long.status, long["message"]?.string) == (400, "Apple Push Length Exceeded"))
            #expect(try await post(rig, caller, "/messages/live_activity/stop", "{}").status == 404)
        }
    }
}
