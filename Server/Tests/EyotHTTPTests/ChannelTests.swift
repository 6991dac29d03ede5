import EyotContract
import EyotDomain
import Testing

@Suite("Channels over HTTP")
struct ChannelTests {
    private static let start =
        #"{"type":"Match","attributes":{"home":"ARG"},"contentState":{"n":1},"alert":\#(Body.alert),"audience":"all","#
        + #""channel":true}"#

    /// Apple has made the channel of the match app.
    private func makeChannel(_ rig: Rig) async throws {
        try await rig.store.write { ledger in
            for app in try ledger.apps() {
                for var channel in try ledger.channels(in: app.id, after: ChannelID(rawValue: 0), limit: 9) {
                    _ = channel.settle(.made(try #require(.init("AAAA"))), at: Rig.start)
                    try ledger.update(channel)
                }
            }
        }
    }

    private func prepare(_ rig: Rig) async throws {
        let app = try await rig.store.read { try $0.app(bundleID: "org.example.match") }
        let key = APNSKey(
            app: try #require(app).id, environment: .sandbox, teamID: "TEAM000001", keyID: "KEY0000001",
            sealed: SealedSecret(masterKeyID: "m", box: []), addedAt: Rig.start)
        try await rig.store.write { try $0.put(key) }
    }

    @Test func `A phone asks for the channel of a name, once there is one that it can follow`() async throws {
        try await Rig.run { rig in
            try await prepare(rig)
            let phone = try await rig.phone("one")
            func ask(_ name: String = "final", _ secret: String? = nil) async throws -> Reply {
                try await rig.call(
                    .post, "/v1/device/channel", #"{"name":"\#(name)"}"#, key: secret ?? phone.secret)
            }
            #expect(try await ask().code == "activityUnknown")
            let started = try await rig.call(.post, "/v1/activities/final/start", Self.start)
            #expect(started.status == 202)
            #expect(try await ask().code == "channelUnknown", "Apple has not made it yet")
            try await makeChannel(rig)
            #expect(try await ask()["channel"]?.string == "AAAA")
            #expect(try await rig.call(.post, "/v1/device/channel", "{}", key: phone.secret).code == "fieldMissing")
            _ = try await rig.call(.post, "/v1/activities/final/end", "{}")
            #expect(try await ask().code == "activityEnded")
        }
    }

    @Test func `The activity and the list tell of it, and only of one's own`() async throws {
        try await Rig.run { rig in
            try await prepare(rig)
            _ = try await rig.call(.post, "/v1/activities/final/start", Self.start)
            let wanted = try await rig.call(.get, "/v1/activities/final")
            #expect(wanted["channels", "0", "state"]?.string == "wanted")
            try await makeChannel(rig)
            let list = try await rig.call(.get, "/v1/channels")
            #expect(list["channels", "0", "activity"]?.string == "final")
            #expect(list["channels", "0", "generation"]?.integer == 1)
            #expect(list["channels", "0", "state"]?.string == "leased")
            #expect(list["channels", "0", "channel"]?.string == "AAAA")
            #expect(list["channels", "0", "environment"]?.string == "sandbox")
            #expect(list["next"] == nil)
            let foreign = try await rig.call(.get, "/v1/channels", key: rig.other.api)
            #expect(foreign["channels"]?.array?.isEmpty == true)
        }
    }

    @Test func `An update takes no channel, and without a key of the app a start warns`() async throws {
        try await Rig.run { rig in
            let start = try await rig.call(.post, "/v1/activities/final/start", Self.start)
            #expect(start["warnings"]?.text.contains("channel needs an APNs key") == true, "\(start.text)")
            let update = try await rig.call(
                .post, "/v1/activities/final/update", #"{"contentState":{"n":2},"channel":true}"#)
            #expect(update.code == "fieldInvalid")
            #expect(update["field"]?.string == "channel")
        }
    }

    /// Alerts with texts by language, and what does not reach those who follow a channel.
    private static let alerts: [(String, String?)] = [
        (
            #"{"title":"Goal","body":"1:0","localizations":{"de":{"title":"Tor"},"fr":{"body":"But","title":"x"}}}"#,
            "title, body"
        ),
        (
            #"{"title":"Goal","body":"1:0","title-loc-key":"G","localizations":{"de":{"title":"Tor","sound":"s"}}}"#,
            "sound"
        ),
        (
            #"{"title":"Goal","body":"1:0","title-loc-key":"G","loc-key":"B","localizations":{"de":{"title":"Tor","body":"x"}}}"#,
            nil
        ),
        (#"{"title":{"loc-key":"G"},"body":"1:0","localizations":{"de":{"title":"Tor"}}}"#, nil),
        (Body.alert, nil),
    ]

    @Test(arguments: alerts)
    func `Who shares a payload gets the alert's own words or the app's, and the caller is told`(
        alert: String, told: String?
    ) async throws {
        try await Rig.run { rig in
            try await prepare(rig)
            let update = #"{"contentState":{"n":2},"alert":\#(alert)}"#
            func warnings(_ reply: Reply) -> [String] {
                (reply["warnings"]?.array ?? []).compactMap(\.string).filter { $0.contains("localizations") }
            }
            _ = try await rig.call(.post, "/v1/activities/plain/start", Body.start)
            #expect(try await warnings(rig.call(.post, "/v1/activities/plain/update", update)) == [])
            _ = try await rig.call(.post, "/v1/activities/final/start", Self.start)
            try await makeChannel(rig)
            let tried = try await rig.call(.post, "/v1/activities/final/update?dryRun=true", update)
            let broadcasts = (tried["pushes"]?.array ?? []).filter { $0.object?["to"]?.string == "channel" }
            #expect(broadcasts.count == 1)
            let shown = broadcasts.first?.object?["payload"]?.object?["aps"]?.object?["alert"]?.object
            let own = try JSONValue(parsing: Array(alert.utf8)).object
            #expect(shown?.members == own?.members.filter { $0.name != "localizations" })
            let updated = try await rig.call(.post, "/v1/activities/final/update", update)
            for reply in [tried, updated] {
                #expect(warnings(reply).count == (told == nil ? 0 : 1), "\(reply.text)")
                if let told { #expect(warnings(reply).first?.contains("own \(told).") == true, "\(reply.text)") }
            }
        }
    }
}
