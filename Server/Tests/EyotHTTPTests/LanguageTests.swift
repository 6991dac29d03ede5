import EyotContract
import Testing

@Suite("Texts by language")
struct LanguageTests {
    private static let final = "/v1/activities/final"

    private static func start(_ alert: String) -> String { Body.start.replacing(Body.alert, with: alert) }

    @Test func `A phone says its language, and a dry run shows the push of each`() async throws {
        try await Rig.run { rig in
            let registration = Rig.registration("one").dropLast() + #","language":"de-AT"}"#
            let registered = try await rig.call(
                .post, "/v1/device/register", String(registration), key: rig.match.app)
            #expect(registered.status == 201)
            #expect(try await rig.call(.get, "/v1/devices")["devices", "0", "language"]?.string == "de-AT")
            let alert = #"{"title":"Goal","body":"1:0","localizations":{"de":{"title":"Tor"},"fr":{"body":"But"}}}"#
            let reply = try await rig.call(.post, "\(Self.final)/start?dryRun=true", Self.start(alert))
            let pushes = try #require(reply["pushes"]?.array, "\(reply.text)")
            #expect(pushes.map { $0.object?["language"]?.string } == [nil, nil, "de", "de", "fr", "fr"])
            #expect(
                reply["pushes", "2", "payload", "aps", "alert"]?.text == #"{"title":"Tor","body":"1:0"}"#)
            #expect(!reply.text.contains("localizations"))
            _ = try await rig.call(.post, "\(Self.final)/start", Self.start(alert))
            let update = #"{"contentState":{"n":2},"alert":\#(alert)}"#
            let updated = try await rig.call(.post, "\(Self.final)/update?dryRun=true", update)
            #expect(updated["pushes"]?.array?.count == 3)
        }
    }

    @Test func `The keys by which an app finds its own texts reach the phone as they stand`() async throws {
        try await Rig.run { rig in
            let alert =
                #"{"title":{"loc-key":"GOAL","loc-args":["Messi"]},"body":{"loc-key":"B"},"title-loc-key":"G","#
                + #""title-loc-args":["1"],"loc-key":"X","loc-args":["a","b"]}"#
            let reply = try await rig.call(.post, "\(Self.final)/start?dryRun=true", Self.start(alert))
            #expect(reply["pushes", "0", "payload", "aps", "alert"]?.text == alert)
        }
    }

    @Test func `A text in a phone's language goes before the app's own, which stay for everyone else`() async throws {
        try await Rig.run { rig in
            let alert =
                #"{"title":"Goal","title-loc-key":"G","title-loc-args":["1"],"body":"1:0","loc-key":"X","#
                + #""loc-args":["a"],"sound":"s","localizations":{"de":{"title":"Tor"},"fr":{"body":"But"}}}"#
            let reply = try await rig.call(.post, "\(Self.final)/start?dryRun=true", Self.start(alert))
            func text(_ push: String) -> String? { reply["pushes", push, "payload", "aps", "alert"]?.text }
            let own = #"{"title":"Goal","title-loc-key":"G","title-loc-args":["1"],"body":"1:0","loc-key":"X","#
            #expect(text("0") == own + #""loc-args":["a"],"sound":"s"}"#)
            #expect(text("2") == #"{"title":"Tor","body":"1:0","loc-key":"X","loc-args":["a"],"sound":"s"}"#)
            #expect(
                text("4") == #"{"title":"Goal","title-loc-key":"G","title-loc-args":["1"],"body":"But","sound":"s"}"#)
        }
    }

    @Test(
        arguments: [
            ("[]", "alert.localizations"), (#"{"de_DE":{}}"#, "alert.localizations.de_DE"),
            (#"{"de":"Tor"}"#, "alert.localizations.de"), (#"{"de":{"titel":"x"}}"#, "alert.localizations.de.titel"),
            (#"{"de":{"title":1}}"#, "alert.localizations.de.title"),
            (#"{"de":{"localizations":{}}}"#, "alert.localizations.de.localizations"),
            ("{" + (0...50).map { #""l\#($0)":{}"# }.joined(separator: ",") + "}", "alert.localizations"),
        ]) func `What is no text in a language is refused by its place`(localizations: String, field: String)
        async throws
    {
        try await Rig.run { rig in
            let alert = #"{"title":"Goal","body":"1:0","localizations":\#(localizations)}"#
            let reply = try await rig.call(.post, "\(Self.final)/start", Self.start(alert))
            #expect(reply.status == 422)
            #expect(reply.field == field)
        }
    }

    @Test func `The longest of the texts counts for the size`() async throws {
        try await Rig.run { rig in
            let long = String(repeating: "x", count: 4_000)
            let alert = #"{"title":"Goal","body":"1:0","localizations":{"de":{"body":"\#(long)"}}}"#
            let reply = try await rig.call(.post, "\(Self.final)/start", Self.start(alert))
            #expect(reply.code == "payloadTooLarge")
            // Many short ones are no large payload: each phone gets one of them.
            let texts = (0..<50).map { #""l\#($0)":{"body":"\#(long.prefix(100))"}"# }.joined(separator: ",")
            let many = #"{"title":"Goal","body":"1:0","localizations":{\#(texts)}}"#
            #expect(try await rig.call(.post, "\(Self.final)/start", Self.start(many)).status == 202)
        }
    }
}
