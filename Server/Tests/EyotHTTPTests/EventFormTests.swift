import EyotContract
import EyotDomain
import HTTPTypes
import Testing

/// What of an event depends on the caller: whole tokens, and the form of another vendor.
@Suite("Forms of events", .timeLimit(.minutes(10)))
struct EventFormTests {
    /// A phone of ana with a card of `final`, which she dismisses after its token was replaced.
    private func prepare(_ rig: Rig) async throws {
        let phone = try await rig.phone("one", user: "ana")
        #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
        _ = try await rig.changes(phone.secret, Rig.card(2, "card-1", token: "first"))
        _ = try await rig.changes(phone.secret, Rig.card(3, "card-1", token: "second"))
        _ = try await rig.changes(
            phone.secret,
            #"{"sequence":4,"kind":"cardEvent","event":"dismissed","instance":"card-1","name":"final","type":"Match"}"#)
    }

    private func lines(_ rig: Rig, _ query: String, key: String? = nil) async throws -> [JSONObject] {
        let reply = try await rig.call(.get, "/v1/events?\(query)", key: key ?? rig.match.api)
        #expect(reply.status == 200, "\(reply.text)")
        return try reply.text.split(separator: "\n").compactMap { try JSONValue(parsing: Array($0.utf8)).object }
    }

    private func key(_ rig: Rig, _ scopes: String) async throws -> String {
        let reply = try await rig.call(.post, "/v1/keys", #"{"name":"k","scopes":[\#(scopes)]}"#)
        return try #require(reply["key"]?.string, "\(reply.text)")
    }

    private func fingerprint(_ text: String) throws -> JSONValue {
        .string(try #require(PushToken(hex: Rig.token(text))).fingerprint)
    }

    @Test func `a token is a fingerprint, and whole only for a key that may see it while the phone has it`()
        async throws
    {
        try await Rig.run { rig in
            try await prepare(rig)
            let names = ["one", "first", "second"]
            let restricted = try await key(rig, #""events:read""#)
            let some = try await lines(rig, "types=token.*", key: restricted)
            #expect(try some.map { $0["tokenFingerprint"] } == names.map(fingerprint))
            #expect(some.allSatisfy { $0["token"] == nil })
            let allowed = try await key(rig, #""events:read","tokens:read""#)
            let all = try await lines(rig, "types=token.*", key: allowed)
            #expect(all.map { $0["token"]?.string } == [Rig.token("one"), nil, Rig.token("second")])
            let log = try await rig.call(.get, "/v1/log?types=token.*", key: restricted)
            #expect(names.allSatisfy { !log.text.contains(Rig.token($0)) })
            #expect(try await rig.call(.get, "/v1/log", key: allowed).text.contains(Rig.token("second")))
        }
    }

    @Test func `Netmera's three events have their codes`() async throws {
        try await Rig.run { rig in
            try await prepare(rig)
            let lines = try await lines(rig, "vendor=netmera", key: key(rig, #""events:read""#))
            #expect(lines.map { $0["eventCode"] } == ["n:lst", "n:lut", "n:lut", "n:lac"])
            #expect(lines.first?["type"] == "Match" && lines.first?["groupId"] == nil)
            #expect(try lines[1]["token"] == fingerprint("first"))
            let last = try #require(lines.last)
            #expect(last["extId"] == "ana" && last["groupId"] == "final" && last["closedBy"] == "user")
            #expect(last["deviceId"] == "one" && last["eventName"] == "LiveActivityClose")
            #expect(try await self.lines(rig, "vendor=netmera&types=card.*").count == 1)
        }
    }

    @Test func `Braze's four events have their members`() async throws {
        try await Rig.run { rig in
            try await prepare(rig)
            try await rig.store.write { ledger in
                let card = try #require(try ledger.events(of: AppID(rawValue: 1), about: .app, after: 0, limit: 9).last)
                let refused = Fact(.pushRefused, version: 1, reason: "BadDeviceToken")
                try ledger.record(
                    Event(
                        app: card.app, at: rig.clock.now, refused, activity: card.activity, ordinal: card.ordinal,
                        device: card.device))
            }
            let lines = try await lines(rig, "vendor=braze")
            let names = [
                "behaviors.liveactivity.PushToStartTokenChange", "behaviors.liveactivity.UpdateTokenChange",
                "behaviors.liveactivity.UpdateTokenChange", "behaviors.liveactivity.UpdateTokenChange",
                "messages.liveactivity.Send", "messages.liveactivity.Outcome",
            ]
            try #require(lines.map { $0["event_type"] } == names.map { .string("users.\($0)") })
            #expect(lines.allSatisfy { $0["external_user_id"] == "ana" && $0["time"] != nil })
            #expect(Set(lines.compactMap { $0["id"]?.string }).count == names.count)
            #expect(lines[0]["push_token_state_change_type"] == "added" && lines[0]["device_id"] == "one")
            #expect(lines[0]["push_to_start_token"]?.string == Rig.token("one"))
            #expect(lines[0]["ios_push_token_apns_gateway"] == 1)
            #expect(lines[2]["push_token_state_change_type"] == "updated" && lines[2]["activity_id"] == "final")
            #expect(lines[4]["live_activity_event_type"] == "update")
            #expect(lines[5]["live_activity_event_outcome"] == "BadDeviceToken")
            // The person has dismissed the card.
            #expect(lines[3]["push_token_state_change_type"] == "removed" && lines[3]["activity_id"] == "final")
        }
    }

    @Test func `a vendor without a form is refused with the names of the others`() async throws {
        try await Rig.run { rig in
            for name in ["airship", "nobody", ""] {
                let reply = try await rig.call(.get, "/v1/events?vendor=\(name)")
                #expect(reply.status == 422 && reply.field == "vendor", "\(reply.text)")
                #expect(reply["detail"]?.string?.contains("netmera, braze") == true, "\(reply.text)")
            }
        }
    }
}
