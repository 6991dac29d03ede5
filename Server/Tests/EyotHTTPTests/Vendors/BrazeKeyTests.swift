import EyotContract
import EyotDomain
import Testing

/// What Braze's keys may do by Braze's names, and what its answers say beside success.
@Suite struct `Braze's keys and warnings` {
    private static let start = "/messages/live_activity/start"
    private static let update = "/messages/live_activity/update"

    private static func body(_ app: String, _ notification: String?) -> String {
        let notification = notification.map { #""notification":\#($0),"# } ?? ""
        return #"""
            {"app_id":"\#(app)","activity_id":"game","activity_attributes_type":"Match","activity_attributes":{},
            "content_state":{"n":1},\#(notification)"external_user_ids":["anna"]}
            """#
    }

    private static func change(_ app: String, _ more: String = "") -> String {
        #"{"app_id":"\#(app)","activity_id":"game","content_state":{"n":2}\#(more)}"#
    }

    private static let words = #"{"alert":{"title":"Kick-off","body":"Now"}}"#

    private func run(
        lenient: Bool = false, _ body: @Sendable @escaping (Rig, VendorCaller) async throws -> Void
    ) async throws {
        try await Rig.run(lenientVendors: lenient ? [.braze] : []) { rig in
            try await rig.phone("one", user: "anna")
            try await body(rig, try await rig.caller(of: .braze))
        }
    }

    @Test func `A key is made with Braze's permissions, and told which one it lacks`() async throws {
        try await run { rig, caller in
            let made = try await rig.call(
                .post, "/v1/keys", #"{"name":"k","plane":"braze","scopes":["messages.live_activity.update"]}"#)
            #expect(made["scopes"]?.text == #"["activities:update"]"#, "\(made.text)")
            let updater = VendorCaller(
                rig: rig, secret: try #require(made["key"]?.string), identifier: caller.identifier)
            let refused = try await rig.post(
                Self.start, Self.body(caller.identifier, Self.words), by: updater, of: .braze)
            #expect((refused.status, refused["message"]?.string) == (403, "Access Denied"))
            #expect(
                refused["errors", "0"]?.string?.hasSuffix("lacks the permission messages.live_activity.start") == true,
                "\(refused.text)")
            let taken = try await rig.post(Self.update, Self.change(caller.identifier), by: updater, of: .braze)
            #expect(taken.status == 201, "\(taken.text)")
            let both = #"["messages.live_activity.start","messages.live_activity.update"]"#
            let all = try await rig.call(.post, "/v1/keys", #"{"name":"k","plane":"braze","scopes":\#(both)}"#)
            #expect(all["scopes"]?.text == #"["activities:start","activities:update"]"#)
            for plane in ["eyot", "airship"] {
                let ours = try await rig.call(
                    .post, "/v1/keys", #"{"name":"k","plane":"\#(plane)","scopes":\#(both)}"#)
                #expect((ours.status, ours.field) == (422, "scopes[0]"), "\(ours.text)")
            }
        }
    }

    @Test func `An expiry is when the alert is worth nothing any more; without an alert, or in the past, it is none`()
        async throws
    {
        try await run { rig, caller in
            let notification = #"{"alert":{"title":"T","body":"B"},"expiry":"2022-12-18T15:01:30+0000"}"#
            let reply = try await rig.post(
                Self.start, Self.body(caller.identifier, notification), by: caller, of: .braze)
            #expect((reply.status, reply.text) == (201, #"{"message":"success"}"#))
            let change = #","notification":\#(notification)"#
            let update = try await rig.post(
                Self.update, Self.change(caller.identifier, change), by: caller, of: .braze)
            #expect(update.status == 201, "\(update.text)")
            #expect(try await rig.declared("game")?.content.alert?.expiresAt == Rig.start + 90)
            for more in [
                #","notification":{"alert":"Goal","expiry":"2022-12-18T14:00:00Z"}"#,
                #","notification":{"expiry":"2022-12-18T16:00:00Z"}"#,
            ] {
                let told = try await rig.post(Self.update, Self.change(caller.identifier, more), by: caller, of: .braze)
                #expect(told.status == 201)
                #expect(told["errors", "0"]?.string?.hasPrefix("notification.expiry") == true, "\(told.text)")
            }
            let wrong = try await rig.post(
                Self.update, Self.change(caller.identifier, #","notification":{"expiry":"soon"}"#), by: caller,
                of: .braze)
            #expect(
                (wrong.status, wrong["errors"]?.text.contains("notification.expiry")) == (400, true), "\(wrong.text)")
        }
    }

    @Test func `A start without a notification is refused, unless the server is lenient: then it has the app's name`()
        async throws
    {
        try await run { rig, caller in
            let reply = try await rig.post(Self.start, Self.body(caller.identifier, nil), by: caller, of: .braze)
            #expect((reply.status, reply["errors", "0"]?.string) == (400, "notification is missing"))
        }
        try await run(lenient: true) { rig, caller in
            let reply = try await rig.post(Self.start, Self.body(caller.identifier, nil), by: caller, of: .braze)
            #expect(reply.status == 201, "\(reply.text)")
            #expect(reply["errors", "0"]?.string?.hasPrefix("notification is missing") == true)
            let alert = try #require(try await rig.declared("game")?.content.alertOfStarts)
            #expect(alert.body.object?["title"]?.string == "Test")
            #expect(alert.body.object?["body"]?.string?.isEmpty == false)
        }
    }

    @Test func `What waits since an operator has halted it is success that says so`() async throws {
        try await run { rig, caller in
            _ = try await rig.post(Self.start, Self.body(caller.identifier, Self.words), by: caller, of: .braze)
            let halted = try await rig.call(.post, "/v1/activities/game/halt", "{}")
            #expect((200..<300).contains(halted.status), "\(halted.text)")
            let reply = try await rig.post(Self.update, Self.change(caller.identifier), by: caller, of: .braze)
            #expect(reply.status == 201)
            #expect(reply["errors", "0"]?.string?.contains("halted") == true, "\(reply.text)")
        }
    }
}
