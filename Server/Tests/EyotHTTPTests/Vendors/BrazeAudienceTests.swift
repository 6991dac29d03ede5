import EyotContract
import EyotDomain
import Testing

/// Braze's connected audiences, and what a notification may hold.
@Suite struct `Braze's audiences and notifications` {
    private func run(_ body: @Sendable @escaping (Rig, VendorCaller) async throws -> Void) async throws {
        try await Rig.run { rig in
            for (phone, user) in [("one", "anna"), ("two", "bert")] { try await rig.phone(phone, user: user) }
            try await body(rig, try await rig.caller(of: .braze))
        }
    }

    private func start(
        _ rig: Rig, _ caller: VendorCaller, _ more: String,
        notification: String = #"{"alert":{"title":"Kick-off","body":"Now"}}"#
    ) async throws -> Reply {
        try await rig.post(
            `Braze's API`.start,
            #"{"app_id":"\#(caller.identifier)","activity_id":"game","activity_attributes_type":"Match","#
                + #""activity_attributes":{},"content_state":{"n":1},"notification":\#(notification),\#(more)}"#,
            by: caller, of: .braze)
    }

    private func tell(_ rig: Rig, _ user: String, _ attributes: String) async throws {
        let put = try await rig.call(.put, "/v1/users/\(user)", #"{"tags":[],"attributes":\#(attributes)}"#)
        #expect(put.status == 200, "\(put.text)")
    }

    /// One user fits the example on Braze's page, and one does not.
    @Test func `Braze's own sample of a connected audience chooses`() async throws {
        try await run { rig, caller in
            let likes = #""eye_color":"blue","favorite_foods":["pizza","pasta"]"#
            try await tell(rig, "anna", "{\(likes)}")
            try await tell(rig, "bert", #"{\#(likes),"email_subscription_status":"subscribed"}"#)
            let reply = try await start(
                rig, caller,
                #"""
                "custom_audience":{"AND":[
                {"custom_attribute":{"custom_attribute_name":"eye_color","comparison":"equals","value":"blue"}},
                {"custom_attribute":{"custom_attribute_name":"favorite_foods",
                "comparison":"includes_value","value":"pizza"}},
                {"OR":[{"custom_attribute":{"custom_attribute_name":"last_purchase_time",
                "comparison":"less_than_x_days_ago","value":2}},
                {"push_subscription_status":{"comparison":"is","value":"opted_in"}}]},
                {"email_subscription_status":{"comparison":"is_not","value":"subscribed"}},
                {"last_used_app":{"comparison":"after","value":"2019-07-22T13:17:55+0000"}}]}
                """#)
            #expect((reply.status, reply.text) == (201, #"{"message":"success"}"#))
            let replicas = try await rig.call(.get, "/v1/activities/game/replicas")
            #expect(replicas.text.contains("anna") && !replicas.text.contains("bert"), "\(replicas.text)")
        }
    }

    /// The attribute is a day ago of one user, and two days ahead of the other.
    @Test(
        arguments: [
            ("less_than_x_days_ago", 3, "anna"), ("greater_than_x_days_ago", 3, ""),
            ("greater_than_x_days_ago", 0, "anna"), ("less_than_x_days_in_the_future", 3, "bert"),
            ("less_than_x_days_in_the_future", 1, ""), ("greater_than_x_days_in_the_future", 1, "bert"),
        ]) func `What is ago is not ahead, and what is ahead not ago`(
            _ comparison: String, _ days: Int, _ user: String
        ) async throws
    {
        try await run { rig, caller in
            try await tell(rig, "anna", #"{"at":"2022-12-17T15:00:00Z"}"#)
            try await tell(rig, "bert", #"{"at":"2022-12-20T15:00:00Z"}"#)
            let filter =
                #"{"custom_attribute_name":"at","comparison":"\#(comparison)","value":\#(days)}"#
            let reply = try await start(rig, caller, #""custom_audience":{"custom_attribute":\#(filter)}"#)
            #expect(reply.status == 201, "\(reply.text)")
            let found = try await rig.call(.get, "/v1/activities/game/replicas")["replicas"]?.array ?? []
            #expect(found.compactMap { $0.object?["user"]?.string } == (user.isEmpty ? [] : [user]))
        }
    }

    /// The attribute is `a.b@owls.org` of one user and `owls` of the other.
    @Test(
        arguments: [
            ("matches_regex", "owls", "anna bert"), ("matches_regex", "^owls$", "bert"),
            ("matches_regex", #".*@owls\\.org"#, "anna"), ("matches_regex", "^(hawks|owls)$", "bert"),
            ("matches_regex", "b@|hawks", "anna"), ("matches_regex", "^.*b@.*$", "anna"),
            ("does_not_match_regex", "^owls$", "anna"), ("does_not_match_regex", "o", ""),
        ]) func `Expressions that are texts choose`(_ comparison: String, _ pattern: String, _ users: String)
        async throws
    {
        try await run { rig, caller in
            try await tell(rig, "anna", #"{"team":"a.b@owls.org"}"#)
            try await tell(rig, "bert", #"{"team":"owls"}"#)
            let filter =
                #"{"custom_attribute_name":"team","comparison":"\#(comparison)","value":"\#(pattern)"}"#
            let reply = try await start(rig, caller, #""custom_audience":{"custom_attribute":\#(filter)}"#)
            #expect(reply.status == 201, "\(reply.text)")
            let found = try await rig.call(.get, "/v1/activities/game/replicas")["replicas"]?.array ?? []
            #expect(found.compactMap { $0.object?["user"]?.string }.joined(separator: " ") == users)
        }
    }

    @Test(
        arguments: [
            "^owls", "owls$", "o+ls", "[a-z]", #"\\d"#, "(a|b)c", "^a|b$", "a||b", "^.*a$", #"a\\"#, "^$", "(a",
        ])
    func `Other expressions are refused by their place`(_ pattern: String) async throws {
        try await run { rig, caller in
            let filter =
                #"{"custom_attribute_name":"team","comparison":"matches_regex","value":"\#(pattern)"}"#
            let reply = try await start(rig, caller, #""custom_audience":{"custom_attribute":\#(filter)}"#)
            #expect(reply.status == 400, "\(reply.text)")
            #expect(reply["errors", "0"]?.string?.hasPrefix("custom_audience.custom_attribute.value ") == true)
        }
    }

    @Test func `Keys of texts beside texts are named, and extras that would be the push's own are refused`()
        async throws
    {
        try await run { rig, caller in
            let both = #"{"alert":{"title":"T","title_loc_key":"K","title_loc_args":["a"],"body":"B","loc_key":"L"}}"#
            let reply = try await start(rig, caller, #""external_user_ids":["anna"]"#, notification: both)
            #expect(
                reply["errors"]?.array == [
                    "notification.alert.title_loc_key beside title is not acted on",
                    "notification.alert.loc_key beside body is not acted on",
                ], "\(reply.text)")
            #expect(try await rig.declared("game")?.content.alertOfStarts?.body.text == #"{"title":"T","body":"B"}"#)
            for name in ["ab", "aps"] {
                let extra = #"{"alert":{"title":"T","body":"B"},"extra":{"\#(name)":{}}}"#
                let refused = try await start(rig, caller, #""external_user_ids":["anna"]"#, notification: extra)
                #expect((refused.status, refused["message"]?.string) == (400, "Invalid Extra Push Payload"))
            }
            let other = #"{"alert":{"title":"T","body":"B"},"extra":{"deep":"link"}}"#
            let taken = try await start(rig, caller, #""external_user_ids":["anna"]"#, notification: other)
            #expect(taken["errors"]?.array == ["notification.extra is not acted on"], "\(taken.text)")
        }
    }

    @Test func `A body of more than four megabytes is refused as such`() async throws {
        try await run { rig, caller in
            let long = #""segment_id":"\#(String(repeating: "x", count: 4 * 1_024 * 1_024))""#
            let reply = try await start(rig, caller, long)
            #expect(reply.status == 413, "\(reply.text)")
        }
    }

    @Test func `A start's dismissal date ends the card and takes it from the screen`() async throws {
        try await run { rig, caller in
            let reply = try await start(
                rig, caller, #""external_user_ids":["anna"],"dismissal_date":"2022-12-18T16:00:00+0000""#)
            #expect(reply.text == #"{"message":"success"}"#)
            #expect(try await rig.activity("game")["endsAt"]?.string == "2022-12-18T16:00:00Z")
            rig.clock.advance(3_601)
            let late = try await rig.post(
                `Braze's API`.update,
                #"{"app_id":"\#(caller.identifier)","activity_id":"game","content_state":{"n":2}}"#, by: caller,
                of: .braze)
            #expect(late.status == 201, "\(late.text)")
            // A time limit that has passed ends the activity, at the first look of any request or worker.
            try await rig.store.write { ledger in
                let app = try #require(try ledger.app(bundleID: "org.example.match"))
                var activity = try #require(try ledger.newestActivity(named: "game", in: app.id))
                if let end = activity.endInTime(at: Rig.start + 3_601) {
                    try ledger.insert(end)
                    try ledger.update(activity)
                }
            }
            let declared = try #require(try await rig.declared("game"))
            #expect(declared.kind == .end)
            #expect(declared.content.dismissalDate == (Rig.start + 3_600).second)
        }
    }
}
