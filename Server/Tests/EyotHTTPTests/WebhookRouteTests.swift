import EyotContract
import EyotDomain
import Testing

@Suite("Webhooks: calls")
struct WebhookRouteTests {
    private static let body = #"{"name":"scores","url":"https://hooks.example.org/eyot","types":["activity.*"]}"#

    private func create(_ rig: Rig, _ body: String = body) async throws -> Reply {
        try await rig.call(.post, "/v1/webhooks", body)
    }

    @Test func `A webhook is created, read, listed, changed and removed, and its secret is shown once`() async throws {
        try await Rig.run { rig in
            let made = try await create(rig)
            #expect(made.status == 201 && made["secret"]?.string?.hasPrefix("whsec_") == true)
            #expect(made["state"] == "enabled" && made["signature"] == "v1" && made["pending"] == 0)
            let path = "/v1/webhooks/\(made["id"]?.string ?? "")"
            let read = try await rig.call(.get, path)
            var expected = try #require(made.json?.object)
            expected["secret"] = nil
            #expect(read.json == .object(expected))
            #expect(try await rig.call(.get, "/v1/webhooks")["webhooks"] == .array([.object(expected)]))
            let changed = try await rig.call(.patch, path, #"{"name":"new","types":["card.dismissed","app.*"]}"#)
            #expect(changed["name"] == "new" && changed["types"] == ["card.dismissed", "app.*"])
            #expect(changed["url"] == "https://hooks.example.org/eyot")
            #expect(try await rig.call(.delete, path).status == 204)
            #expect(try await rig.call(.get, path).code == "webhookUnknown")
        }
    }

    @Test func `Without a name and kinds it is called after its host and gets no event of each card`() async throws {
        try await Rig.run { rig in
            let made = try await create(rig, #"{"url":"https://Hooks.example.org"}"#)
            #expect(made["name"] == "hooks.example.org" && made["url"] == "https://hooks.example.org/")
            #expect(made["types"] == .array(Webhook.usualTypes.map(JSONValue.string)))
        }
    }

    @Test(
        "What is wrong is named",
        arguments: [
            ("{}", "fieldMissing", "url"), (#"{"url":"https://a@b.org"}"#, "fieldInvalid", "url"),
            (#"{"url":"ftp://b.org"}"#, "fieldInvalid", "url"),
            (#"{"url":"https://b.org","types":[]}"#, "fieldInvalid", "types"),
            (#"{"url":"https://b.org","types":["app.*","cards"]}"#, "fieldInvalid", "types[1]"),
            (#"{"url":"https://b.org","signature":"v2"}"#, "fieldInvalid", "signature"),
            (#"{"url":"https://b.org","secret":"x"}"#, "fieldUnknown", "secret"),
            (#"{"url":"https://b.org","name":""}"#, "fieldInvalid", "name"),
        ])
    func refuses(_ body: String, _ code: String, _ field: String) async throws {
        try await Rig.run { rig in
            let reply = try await create(rig, body)
            #expect(reply.code == code && reply.field == field, "\(reply.text)")
        }
    }

    @Test func `A pair shows only its public key`() async throws {
        try await Rig.run { rig in
            let made = try await create(rig, #"{"url":"https://b.org","signature":"v1a"}"#)
            #expect(made["publicKey"]?.string?.hasPrefix("whpk_") == true && made["secret"] == nil)
            #expect(!made.text.contains("whsk_"))
            let rotated = try await rig.call(.post, "/v1/webhooks/1/rotate", "{}")
            #expect(rotated["publicKey"] != made["publicKey"] && rotated["signature"] == "v1a")
        }
    }

    @Test func `A rotation answers another secret, and says until when the former one signs`() async throws {
        try await Rig.run { rig in
            let made = try await create(rig)
            let rotated = try await rig.call(.post, "/v1/webhooks/1/rotate", #"{"overlapSeconds":3600}"#)
            #expect(rotated["secret"] != made["secret"] && rotated["secret"]?.string?.hasPrefix("whsec_") == true)
            #expect(rotated["formerSecretUntil"] == "2022-12-18T16:00:00Z")
            let at = try await rig.call(.post, "/v1/webhooks/1/rotate", #"{"overlapSeconds":0}"#)
            #expect(at["formerSecretUntil"] == nil)
            #expect(
                try await rig.call(.post, "/v1/webhooks/1/rotate", #"{"overlapSeconds":2592001}"#).field
                    == "overlapSeconds")
        }
    }

    @Test func `A repeated creation makes no second webhook, and shows no secret`() async throws {
        try await Rig.run { rig in
            let headers = ["Idempotency-Key": "one"]
            _ = try await rig.call(.post, "/v1/webhooks", Self.body, headers: headers)
            let again = try await rig.call(.post, "/v1/webhooks", Self.body, headers: headers)
            #expect(again.code == "answerNotKept" && !again.text.contains("whsec_"))
            #expect(try await rig.call(.get, "/v1/webhooks")["webhooks"]?.array?.count == 1)
        }
    }

    @Test func `An app has a limited number of webhooks`() async throws {
        try await Rig.run { rig in
            for _ in 0..<Webhook.limit {
                let made = try await create(rig)
                #expect(made.status == 201)
            }
            let refused = try await create(rig)
            #expect(refused.code == "tooManyWebhooks")
        }
    }

    @Test func `It is disabled and enabled by calls, and a test says what the receiver answered`() async throws {
        try await Rig.run { rig in
            _ = try await create(rig)
            let disabled = try await rig.call(.post, "/v1/webhooks/1/disable")
            #expect(disabled["state"] == "disabled" && disabled["disabledBecause"] == "caller")
            #expect(try await rig.call(.post, "/v1/webhooks/1/enable")["state"] == "enabled")
            let test = try await rig.call(.post, "/v1/webhooks/1/test")
            // The rig has no way out.
            #expect(test["delivered"] == false && test["error"] == "connectionFailed")
        }
    }

    @Test func `A replay queues what is wanted of a range, once, and a retry makes it due`() async throws {
        try await Rig.run { rig in
            let app = try await rig.store.read { try $0.app(bundleID: "org.example.match") }
            let id = try #require(app?.id)
            for second in 0..<5 {
                let kind: EventKind = second == 2 ? .cardAppeared : .activityHalted
                try await rig.store.write {
                    try $0.record(Event(app: id, at: Rig.start + Double(second), Fact(kind)))
                }
            }
            _ = try await create(rig)
            let (path, before) = ("/v1/webhooks/1/replay", #"{"after":"1","before":"5"}"#)
            #expect(try await rig.call(.post, path, before).json == ["queued": 2])
            let since = #"{"since":"2022-12-18T15:00:03Z","until":"2022-12-18T15:00:04Z"}"#
            #expect(try await rig.call(.post, path, since).json == ["queued": 0])
            #expect(try await rig.call(.post, path, #"{"after":"0"}"#).json == ["queued": 2])
            #expect(try await rig.call(.post, path, "{}").field == "after")
            let first = try await rig.call(.get, "/v1/webhooks/1/deliveries?limit=2&state=pending")
            #expect(first["deliveries"]?.array?.count == 2 && first["next"] == "2")
            #expect(first["deliveries", "0", "event"] == "1" && first["deliveries", "0", "attempts"] == 0)
            let rest = try await rig.call(.get, "/v1/webhooks/1/deliveries?after=2")
            #expect(rest["deliveries"]?.array?.count == 2 && rest["next"] == nil)
            #expect(try await rig.call(.get, "/v1/webhooks/1/deliveries?state=dead")["deliveries"] == [])
            #expect(try await rig.call(.get, "/v1/webhooks/1/deliveries?state=x").field == "state")
            #expect(try await rig.call(.post, "/v1/webhooks/1/deliveries/4/retry")["state"] == "pending")
            #expect(try await rig.call(.post, "/v1/webhooks/1/deliveries/3/retry").code == "deliveryUnknown")
        }
    }
}
