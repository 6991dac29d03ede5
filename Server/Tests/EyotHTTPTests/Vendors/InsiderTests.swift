import EyotCommands
import EyotContract
import EyotDomain
import Testing

/// Insider's calls with bodies as its pages have them.
@Suite struct `Insider's API` {
    static let base = "/api/v1/live-activity/"

    private func run(_ body: @Sendable @escaping (Rig, VendorCaller) async throws -> Void) async throws {
        try await Rig.run { rig in
            try await rig.phone("one", user: "anna")
            try await rig.phone("two", user: "bert")
            try await rig.phone("old", user: "carl", os: "16.4")
            try await rig.phone("none", user: "dora", hasStartToken: false)
            try await body(rig, try await rig.caller(of: .insider))
        }
    }

    private func post(
        _ rig: Rig, _ caller: VendorCaller, _ path: String, _ body: String, headers: [String: String] = [:]
    ) async throws -> Reply {
        try await rig.post(Self.base + path, body, by: caller, of: .insider, headers: headers)
    }

    private func register(_ rig: Rig, _ caller: VendorCaller, ids: String = #"["anna","bert"]"#) async throws -> String
    {
        let reply = try await post(
            rig, caller, "register",
            #"{"activity_type":"Match","insider_ids":\#(ids),"ends_at":"2022-12-18T18:00:00Z"}"#)
        return try #require(reply["activity_id"]?.string, "\(reply.text)")
    }

    private static func content(_ id: String, more: String = "") -> String {
        #"{"activity_id":"\#(id)","activity_type":"Match","content":{"title":"T","message":"M","content_state":{"n":1.50},"#
            + #""attributes":{"home":"ARG"}}\#(more)}"#
    }

    /// A card's token, as its phone tells it once the start has led to it.
    private func sync(
        _ rig: Rig, _ id: String, _ installation: String, as instance: String? = nil, at now: Instant = Rig.start
    ) async throws {
        let device = try await rig.store.read { ledger in
            let app = try #require(try ledger.app(bundleID: "org.example.match"))
            return try #require(try ledger.device(installation: installation, in: app.id))
        }
        try await rig.store.write { ledger in
            let card = Card(instance: instance ?? "card-\(installation)", name: id, type: "Match")
            let token = try #require(PushToken(hex: Rig.token("update-\(instance ?? installation)")))
            let batch = DeviceChangeBatch(
                epoch: device.epoch,
                changes: [DeviceChange(sequence: device.sequence + 1, action: .setUpdateToken(card, token: token))])
            _ = try ApplyChanges(Transaction(ledger, at: now))(batch, of: device.id)
        }
    }

    @Test func `Registering says who could get a card, and why others could not`() async throws {
        try await run { rig, caller in
            let reply = try await post(
                rig, caller, "register",
                #"{"activity_type":"Match","insider_ids":["anna","bert","carl","dora","nobody"],"ends_at":"2022-12-18T18:00:00Z"}"#
            )
            #expect(reply.status == 200)
            #expect(reply["matched"]?.integer == 2)
            #expect(reply["added"]?.integer == 2)
            #expect(
                reply["skipped"]?.text
                    == #"{"push_permission_disabled":0,"unsupported_platform":0,"unsupported_os_version":1,"#
                    + #""push_to_start_token_missing":1,"user_not_found":1}"#)
            let none = try await post(
                rig, caller, "register",
                #"{"activity_type":"Match","insider_ids":["carl"],"ends_at":"2022-12-18T18:00:00Z"}"#)
            #expect((none.status, none.code) == (422, "NO_ELIGIBLE_DEVICE"))
            #expect(none["skipped", "unsupported_os_version"]?.integer == 1)
        }
    }

    @Test func `It goes from registered to started, once, is updated when tokens have come, and ends`() async throws {
        try await run { rig, caller in
            let id = try await register(rig, caller)
            #expect(try await post(rig, caller, "update", Self.content(id)).status == 412)
            let start = try await post(rig, caller, "start", Self.content(id))
            #expect((start.status, start["sessions_triggered"]?.integer) == (200, 2), "\(start.text)")
            let declared = try #require(try await rig.declared(id))
            #expect(declared.attributes?.text == #"{"home":"ARG","insiderLiveActivityId":"\#(id)"}"#)
            #expect(declared.content.state?.text == #"{"n":1.50}"#)
            #expect(try await rig.activity(id)["endsAt"]?.string == "2022-12-18T18:00:00Z")
            let again = try await post(rig, caller, "start", Self.content(id))
            #expect((again.status, again.code) == (409, "ALREADY_STARTED"))
            let late = try await post(
                rig, caller, "add-users", #"{"activity_id":"\#(id)","activity_type":"Match","insider_ids":["carl"]}"#)
            #expect((late.status, late.code) == (409, "ALREADY_STARTED"))
            // No token is in yet, and the state is kept until one is.
            let early = try await post(
                rig, caller, "update",
                #"{"activity_id":"\#(id)","activity_type":"Match","content":{"content_state":{"n":1}}}"#)
            #expect(early.text == #"{"status":"success","sessions_triggered":0,"skipped_not_synced":2}"#)
            #expect(try await rig.activity(id)["version"]?.integer == 2)
            try await sync(rig, id, "one")
            let update = try await post(
                rig, caller, "update",
                #"{"activity_id":"\#(id)","activity_type":"Match","content":{"content_state":{"n":2}}}"#)
            #expect(update.text == #"{"status":"success","sessions_triggered":1,"skipped_not_synced":1}"#)
            let end = try await post(rig, caller, "end", Self.content(id))
            #expect(end.status == 200, "\(end.text)")
            #expect(try await rig.declared(id)?.kind == .end)
            for call in ["start", "update", "end"] {
                let gone = try await post(rig, caller, call, Self.content(id))
                #expect((gone.status, gone.code, gone["error"]?.string) == (404, "NOT_FOUND", "activity not found"))
            }
        }
    }

    @Test(
        "An end acts on a dismissal date, beside the content or in it",
        arguments: [
            #""dismissal_date":"2020-01-01T00:00:00Z","content":{"content_state":{"n":2}}"#,
            #""content":{"content_state":{"n":2},"dismissal_date":"2020-01-01T00:00:00+0000"}"#,
        ])
    func dismissalDate(members: String) async throws {
        try await run { rig, caller in
            try await sync(rig, "order-1", "one")
            let end = try await post(
                rig, caller, "end", #"{"activity_id":"order-1","activity_type":"Match",\#(members)}"#)
            #expect(end.text == #"{"status":"success","sessions_triggered":1}"#)
            let declared = try #require(try await rig.declared("order-1"))
            #expect((declared.content.dismissalDate ?? .max) < Rig.start.second)
        }
    }

    @Test func `A dismissal date that is no date is named and not acted on`() async throws {
        try await run { rig, caller in
            try await sync(rig, "order-1", "one")
            let end = try await post(
                rig, caller, "end",
                #"{"activity_id":"order-1","activity_type":"Match","dismissal_date":1671379200,"content":{}}"#)
            #expect(end.status == 200)
            #expect(end["warnings", "0"]?.string?.hasPrefix("dismissal_date is not acted on") == true, "\(end.text)")
        }
    }

    @Test func `An attribute that names another activity is refused, and what is not acted on is named`() async throws {
        try await run { rig, caller in
            let id = try await register(rig, caller)
            let other = Self.content(id).replacing(#""home":"ARG""#, with: #""insiderLiveActivityId":"other""#)
            let refused = try await post(rig, caller, "start", other)
            #expect((refused.status, refused.code) == (400, "VALIDATION_FAILED"), "\(refused.text)")
            let own = Self.content(id, more: #","colour":1"#)
                .replacing(#""home":"ARG""#, with: #""insiderLiveActivityId":"\#(id)""#)
            #expect(try await post(rig, caller, "start", own)["warnings"]?.array == ["colour is not acted on"])
            let people = try await post(
                rig, caller, "register",
                #"{"activity_type":"Match","insider_ids":["anna"],"ends_at":"2022-12-18T18:00:00Z","colour":1}"#)
            #expect(people["warnings"]?.array == ["colour is not acted on"], "\(people.text)")
        }
    }

    @Test func `A start that comes again with its idempotency key has its first answer`() async throws {
        try await run { rig, caller in
            let id = try await register(rig, caller)
            let headers = ["Idempotency-Key": "start-1"]
            let first = try await post(rig, caller, "start", Self.content(id), headers: headers)
            let again = try await post(rig, caller, "start", Self.content(id), headers: headers)
            #expect((again.status, again.text) == (200, first.text))
        }
    }

    @Test func `People come and go until it starts`() async throws {
        try await run { rig, caller in
            let id = try await register(rig, caller, ids: #"["anna"]"#)
            let body = #"{"activity_id":"\#(id)","activity_type":"Match","insider_ids":["anna","bert"]}"#
            let added = try await post(rig, caller, "add-users", body)
            #expect((added["matched"]?.integer, added["added"]?.integer, added["refreshed"]?.integer) == (2, 1, 1))
            let removed = try await post(
                rig, caller, "remove-users",
                #"{"activity_id":"\#(id)","activity_type":"Match","insider_ids":["anna","nobody"]}"#)
            #expect((removed["removed"]?.integer, removed["added"]?.integer) == (1, 0), "\(removed.text)")
            let start = try await post(rig, caller, "start", Self.content(id))
            #expect(start["sessions_triggered"]?.integer == 1)
        }
    }

    @Test func `Target devices choose, and an end for some is the end of it`() async throws {
        try await run { rig, caller in
            let id = try await register(rig, caller)
            func targets(_ user: String, _ device: String) -> String {
                #","target_devices":[{"insider_id":"\#(user)","udid":"\#(device)"}]"#
            }
            let wrong = try await post(rig, caller, "start", Self.content(id, more: targets("anna", "two")))
            #expect((wrong.status, wrong.code) == (400, "TARGET_DEVICES_INVALID"))
            #expect(try await post(rig, caller, "start", Self.content(id)).status == 200)
            for installation in ["one", "two"] { try await sync(rig, id, installation) }
            let end = try await post(rig, caller, "end", Self.content(id, more: targets("bert", "two")))
            #expect((end.status, end["sessions_triggered"]?.integer) == (200, 1), "\(end.text)")
            #expect(try await rig.declared(id)?.scope == .members(count: 1))
            #expect(try await post(rig, caller, "update", Self.content(id)).status == 404)
        }
    }

    @Test func `A card that began on a phone is updated by its own id`() async throws {
        try await run { rig, caller in
            try await sync(rig, "order-1", "one")
            #expect(try await post(rig, caller, "update", Self.content("order-1")).status == 200)
            #expect(try await post(rig, caller, "update", Self.content("order-2")).status == 404)
            #expect(try await post(rig, caller, "start", Self.content("order-1")).status == 409)
            #expect(try await post(rig, caller, "start", Self.content("order-2")).status == 404)
            #expect(try await post(rig, caller, "end", Self.content("order-1")).status == 200)
            #expect(try await post(rig, caller, "update", Self.content("order-1")).status == 404)
        }
    }

    @Test func `An id whose end was said is spoken of again when a backend has started it anew`() async throws {
        try await run { rig, caller in
            try await sync(rig, "order-1", "one")
            let start = Body.start.replacing(#""audience":"all""#, with: #""audience":{"user":"bert"}"#)
            for round in 1...2 {
                let end = try await post(rig, caller, "end", Self.content("order-1"))
                #expect(end.status == 200, "\(end.text)")
                #expect(try await post(rig, caller, "update", Self.content("order-1")).status == 404)
                rig.clock.advance(60)
                let begun = try await rig.call(.post, "/v1/activities/order-1/start", start)
                #expect(begun.status == 202, "\(begun.text)")
                #expect(try await post(rig, caller, "start", Self.content("order-1")).status == 409)
                let early = try await post(rig, caller, "update", Self.content("order-1"))
                #expect((early.status, early["skipped_not_synced"]?.integer) == (200, 1), "\(early.text)")
                try await rig.leaveAllStarts()
                try await sync(rig, "order-1", "two", as: "again-\(round)", at: rig.clock.now)
                let reply = try await post(rig, caller, "update", Self.content("order-1"))
                #expect((reply.status, reply["sessions_triggered"]?.integer) == (200, 1), "\(reply.text)")
            }
            // An end for some is the end of that generation for calls, though others' cards run on.
            let some = #","target_devices":[{"insider_id":"bert","udid":"two"}]"#
            #expect(try await post(rig, caller, "end", Self.content("order-1", more: some)).status == 200)
            #expect(try await post(rig, caller, "update", Self.content("order-1")).status == 404)
        }
    }

    @Test(
        arguments: [
            ("register", #"{"insider_ids":["a"],"ends_at":"2022-12-18T18:00:00Z"}"#, "ACTIVITY_TYPE_REQUIRED"),
            (
                "register", #"{"activity_type":"Match","insider_ids":[],"ends_at":"2022-12-18T18:00:00Z"}"#,
                "INSIDER_IDS_OUT_OF_RANGE"
            ),
            (
                "register", #"{"activity_type":"Match","insider_ids":["a"],"ends_at":"2022-12-18T14:00:00Z"}"#,
                "ENDS_AT_IN_PAST"
            ),
            (
                "register", #"{"activity_type":"Match","insider_ids":["a"],"ends_at":"2022-12-18T15:04:59Z"}"#,
                "ENDS_AT_TOO_SOON"
            ),
            (
                "register", #"{"activity_type":"Match","insider_ids":["a"],"ends_at":"2022-12-25T15:00:01Z"}"#,
                "ENDS_AT_TOO_FAR"
            ),
            ("register", #"{"activity_type":"Match","insider_ids":["a"],"ends_at":"soon"}"#, "VALIDATION_FAILED"),
            ("register", "", "REQUEST_INVALID"), ("start", "{", "REQUEST_INVALID"),
            ("start", #"{"activity_type":"Match"}"#, "ACTIVITY_ID_REQUIRED"),
            (
                "start", #"{"activity_id":"a","activity_type":"Match","content":{"title":"T","content_state":{}}}"#,
                "VALIDATION_FAILED"
            ),
            ("update", #"{"activity_id":"a","activity_type":"Match","content":{}}"#, "VALIDATION_FAILED"),
            (
                "update",
                #"{"activity_id":"a","activity_type":"Match","content":{"content_state":{}},"target_devices":[{}]}"#,
                "TARGET_DEVICES_INVALID"
            ),
        ])
    func `What is wrong is 400 with Insider's code`(_ path: String, _ body: String, _ code: String) async throws {
        try await run { rig, caller in
            let reply = try await post(rig, caller, path, body)
            #expect((reply.status, reply.code) == (400, code), "\(reply.text)")
        }
    }

    @Test func `A key that is none gets no words, and what is not declared as JSON is refused`() async throws {
        try await run { rig, caller in
            let reply = try await rig.call(
                .post, Self.base + "register", "{}", key: nil, headers: ["X-Api-Key": "wrong"])
            #expect((reply.status, reply.text) == (401, ""))
            let text = try await post(rig, caller, "register", "{}", headers: ["Content-Type": "text/plain"])
            #expect((text.status, text.code) == (400, "REQUEST_INVALID"))
            let ours = try await rig.call(
                .post, Self.base + "register", "{}", key: nil, headers: ["X-Api-Key": rig.match.api])
            #expect((ours.status, ours.code) == (403, "LIVE_ACTIVITY_DISABLED"))
        }
    }
}
