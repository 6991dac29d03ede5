import EyotContract
import Testing

@Suite("Further members of aps")
struct FurtherMemberTests {
    private static let final = "/v1/activities/final"

    private static func with(_ aps: String, _ body: String) -> String { body.dropLast() + #","aps":\#(aps)}"# }

    @Test func `They go into the payload as they stand, in their order, each with the push of its call`() async throws {
        try await Rig.run { rig in
            let start = Self.with(#"{"input-push-token":1,"z":1.50,"a":{"y":null,"b":[1e3]}}"#, Body.start)
            let planned = try await rig.call(.post, "\(Self.final)/start?dryRun=true", start)
            let payload = try #require(planned["pushes", "0", "payload"]?.text)
            #expect(payload.hasSuffix(#","input-push-token":1,"z":1.50,"a":{"y":null,"b":[1e3]}}}"#))
            _ = try await rig.call(.post, "\(Self.final)/start", start)
            let update = Self.with(#"{"new-key":true}"#, Body.update)
            let updated = try await rig.call(.post, "\(Self.final)/update?dryRun=true", update)
            #expect(updated["pushes", "0", "payload", "aps", "new-key"]?.bool == true)
            #expect(updated["pushes", "0", "payload", "aps", "z"] == nil)
            let end = try await rig.call(.post, "\(Self.final)/end?dryRun=true", #"{"aps":{"last":"x"}}"#)
            #expect(end["pushes", "0", "payload", "aps", "last"]?.string == "x")
        }
    }

    @Test(
        arguments: [
            "timestamp", "event", "content-state", "attributes", "attributes-type", "alert", "stale-date",
            "dismissal-date", "relevance-score", "input-push-channel", "",
        ]) func `What Eyot writes itself is refused`(name: String) async throws
    {
        try await Rig.run { rig in
            let reply = try await rig.call(.post, "\(Self.final)/start", Self.with(#"{"\#(name)":1}"#, Body.start))
            #expect(reply.code == "fieldInvalid")
            #expect(reply.field == "aps.\(name)")
        }
    }

    @Test func `Asking for a token is for starts, and the size counts`() async throws {
        try await Rig.run { rig in
            _ = try await rig.call(.post, "\(Self.final)/start", Body.start)
            let path = "\(Self.final)/update"
            let token = Self.with(#"{"input-push-token":1}"#, Body.update)
            #expect(try await rig.call(.post, path, token).field == "aps.input-push-token")
            #expect(try await rig.call(.post, path, Self.with("[]", Body.update)).code == "fieldMistyped")
            let long = Self.with(#"{"k":"\#(String(repeating: "x", count: 4_100))"}"#, Body.update)
            let reply = try await rig.call(.post, path, long)
            #expect(reply.code == "payloadTooLarge")
            #expect(reply.field == "aps")
        }
    }

    @Test func `A PUT that repeats them changes nothing, and one with others does`() async throws {
        try await Rig.run { rig in
            let body = Self.with(#"{"k":1}"#, Body.start)
            _ = try await rig.call(.put, Self.final, body)
            #expect(try await rig.call(.put, Self.final, body)["outcome"]?.string == "unchanged")
            let other = Self.with(#"{"k":2}"#, Body.start)
            #expect(try await rig.call(.put, Self.final, other)["outcome"]?.string == "applied")
        }
    }
}
