import EyotCommands
import EyotContract
import EyotDomain
import Testing

@testable import EyotHTTP

/// The removal of a user, which deletes the user everywhere and touches no other.
@Suite("Whole removal", .timeLimit(.minutes(10)))
struct WholeRemovalTests {
    private func start(_ rig: Rig, _ name: String, for audience: String, _ text: String, live: Bool = false)
        async throws
    {
        let more = live ? #","live":{"limit":9}"# : ""
        let reply = try await rig.call(
            .post, "/v1/activities/\(name)/start",
            #"{"type":"Match","attributes":{"of":"\#(text)"},"contentState":{"text":"\#(text)"},"alert":\#(Body.alert),"#
                + #""audience":\#(audience)\#(more)}"#)
        #expect(reply.status == 202, "\(reply.text)")
    }

    private func say(_ rig: Rig, _ name: String, to user: String, _ text: String) async throws {
        let reply = try await rig.call(
            .post, "/v1/activities/\(name)/update", #"{"contentState":{"text":"\#(text)"},"scope":{"user":"\#(user)"}}"#
        )
        #expect(reply.status == 202, "\(reply.text)")
    }

    /// All texts that declarations of an activity show.
    private func texts(_ rig: Rig, of name: String) async throws -> [String] {
        try await rig.store.read { ledger in
            guard let activity = try ledger.newestActivity(named: name, in: AppID(rawValue: 1)) else { return [] }
            return try ledger.declarations(of: activity.id, after: 0, limit: 99).flatMap { declaration in
                [declaration.content.state?.object?["text"]?.string, declaration.attributes?.object?["of"]?.string]
                    .compactMap(\.self)
            }
        }
    }

    @Test func `What was declared for one person goes with them, and what others see stays`() async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("one", user: "anna")
            _ = try await rig.phone("two", user: "anna")
            _ = try await rig.phone("three", user: "bert")
            try await start(rig, "order", for: #"{"user":"anna"}"#, "secret street")
            try await start(rig, "match", for: #"{"user":["anna","bert"]}"#, "everybody")
            for text in ["anna's old seat", "anna's seat"] { try await say(rig, "match", to: "anna", text) }
            try await say(rig, "match", to: "bert", "bert's seat")
            // Only one of the two phones is removed at first: the other one still shows it.
            #expect(try await rig.call(.delete, "/v1/devices/\(phone.id)").status == 204)
            #expect(try await texts(rig, of: "order").contains("secret street"))
            #expect(try await texts(rig, of: "match").contains("anna's seat"))
            #expect(try await rig.call(.delete, "/v1/users/anna").status == 204)
            #expect(try await texts(rig, of: "order") == [])
            let left = try await texts(rig, of: "match")
            #expect(left.contains("everybody") && left.contains("bert's seat"), "\(left)")
        }
    }

    @Test func `What was said to one phone alone goes with it`() async throws {
        try await Rig.run { rig in
            _ = try await rig.phone("one", user: "anna")
            _ = try await rig.phone("two", user: "bert")
            try await start(rig, "match", for: #"{"user":["anna","bert"]}"#, "everybody")
            for text in ["anna's old seat", "anna's seat"] { try await say(rig, "match", to: "anna", text) }
            try await say(rig, "match", to: "bert", "bert's seat")
            #expect(try await rig.call(.delete, "/v1/users/anna").status == 204)
            let left = Set(try await texts(rig, of: "match"))
            #expect(left == ["everybody", "bert's seat"])
        }
    }

    @Test func `Audiences that are kept name a person no more who is removed`() async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("one", user: "anna")
            _ = try await rig.phone("two", user: "bert")
            try await start(rig, "open", for: #"{"or":[{"user":["anna","bert"]},{"user":"anna"}]}"#, "x", live: true)
            for (name, audience) in [
                ("both", #"{"user":["bert","anna"]}"#), ("one", #"{"and":[{"user":"anna"},{"tag":"anna"}]}"#),
                ("tag", #"{"tag":"anna"}"#),
            ] {
                #expect(
                    try await rig.call(.put, "/v1/segments/\(name)", #"{"audience":\#(audience)}"#).status == 200)
            }
            _ = try await rig.call(.put, "/v1/test-devices/my-phone", #"{"device":"\#(phone.id)"}"#)
            let export = try await rig.call(.get, "/v1/users/anna/export")
            #expect(
                export["named"] == [
                    "segments": ["both", "one"], "liveAudiences": ["open"], "testDevices": [], "activities": ["open"],
                ],
                "\(export.text)")
            #expect(try await rig.call(.delete, "/v1/users/anna").status == 204)
            #expect(try await rig.call(.get, "/v1/segments/both")["audience"] == ["user": ["bert"]])
            #expect(
                try await rig.call(.get, "/v1/segments/one")["audience"] == ["and": [["device": "0"], ["tag": "anna"]]])
            #expect(try await rig.call(.get, "/v1/segments/tag")["audience"] == ["tag": "anna"])
            let live = try await rig.store.read { try $0.liveAudiences(of: AppID(rawValue: 1), limit: 9) }
            #expect(live.map(\.asked.audience) == [["or": [["user": ["bert"]], ["device": "0"]]]])
            #expect(try await rig.call(.get, "/v1/test-devices/my-phone").code == "testDeviceUnknown")
            for audience in live.map(\.asked.audience) { _ = try Audience(json: audience, at: "audience") }
        }
    }
}
