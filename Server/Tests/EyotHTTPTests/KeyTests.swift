import EyotCommands
import EyotDomain
import EyotTestKit
import Testing

/// What becomes of keys of the control plane.
@Suite("Keys")
struct KeyTests {
    private func make(_ rig: Rig, _ body: String, key: String? = Rig.ownKey) async throws -> (id: String, key: String) {
        let made = try await rig.call(.post, "/v1/keys", body, key: key)
        #expect(made.status == 201, "\(made.text)")
        return (try #require(made["id"]?.string), try #require(made["key"]?.string))
    }

    @Test func `A key does what its scopes say, and gives nobody more`() async throws {
        try await Rig.run { rig in
            let reader = try await make(rig, #"{"name":"r","scopes":["people:read","keys:write","people:read"]}"#)
            #expect(try await rig.call(.get, "/v1/devices", key: reader.key).status == 200)
            let refused = try await rig.call(.put, "/v1/users/anna", #"{"tags":[]}"#, key: reader.key)
            #expect(refused.code == "keyForbidden")
            #expect(refused["detail"]?.string?.contains("people:write") == true)
            let more = try await rig.call(
                .post, "/v1/keys", #"{"name":"m","scopes":["people:read","people:write"]}"#, key: reader.key)
            #expect(more.code == "keyForbidden")
            #expect(more.field == "scopes")
            // A key that says nothing gets what its maker has, not everything.
            let heir = try await make(rig, #"{"name":"h"}"#, key: reader.key)
            #expect(try await rig.call(.put, "/v1/users/anna", #"{"tags":[]}"#, key: heir.key).code == "keyForbidden")
            #expect(try await rig.call(.post, "/v1/keys/2/rotate", "{}", key: heir.key).code == "keyForbidden")
            let revoked = try await rig.call(.delete, "/v1/keys/2", key: heir.key)
            #expect(revoked.code == "keyForbidden")
            #expect(
                revoked["detail"]?.string?.hasSuffix("revoke a key that has scopes it lacks: all scopes") == true)
            let list = try await rig.call(.get, "/v1/keys")
            #expect(list["keys", "0", "scopes"] == nil)
            #expect(list["keys", "1", "scopes"] == ["keys:write", "people:read"])
            #expect(list["keys", "2", "scopes"] == ["keys:write", "people:read"])
        }
    }

    @Test(
        arguments: [
            (#"{"name":"n","scopes":[]}"#, "scopes"), (#"{"name":"n","scopes":["people:fly"]}"#, "scopes[0]"),
            (#"{"name":"n","expiresAt":"2022-12-18T15:00:00Z"}"#, "expiresAt"),
            (#"{"name":"n","expiresAt":"tomorrow"}"#, "expiresAt"), (#"{"scopes":["people:read"]}"#, "name"),
        ]) func `A key that makes no sense is refused, and the member named`(body: String, field: String) async throws
    {
        try await Rig.run { rig in
            let reply = try await rig.call(.post, "/v1/keys", body)
            #expect(reply.status == 422)
            #expect(reply.field == field)
        }
    }

    @Test func `A key opens nothing from its end on`() async throws {
        try await Rig.run { rig in
            let key = try await make(rig, #"{"name":"n","expiresAt":"2022-12-18T15:00:10Z"}"#)
            rig.clock.advance(9)
            #expect(try await rig.call(.get, "/v1/devices", key: key.key).status == 200)
            rig.clock.advance(1)
            let reply = try await rig.call(.get, "/v1/devices", key: key.key)
            #expect(reply.code == "keyInvalid")
            #expect(reply["detail"]?.string?.contains("expired") == true)
        }
    }

    @Test func `A rotated key and the new one both work until the overlap is over`() async throws {
        try await Rig.run { rig in
            let old = try await make(
                rig, #"{"name":"ci","scopes":["people:read","keys:write"],"expiresAt":"2022-12-19T15:00:00Z"}"#)
            rig.clock.advance(3_600)
            let path = "/v1/keys/\(old.id)/rotate"
            #expect(try await rig.call(.post, path, "{}", key: rig.other.api).code == "keyUnknown")
            #expect(try await rig.call(.post, path, #"{"overlapSeconds":2592001}"#).field == "overlapSeconds")
            let headers = ["Idempotency-Key": "k"]
            let reply = try await rig.call(.post, path, #"{"overlapSeconds":60}"#, key: old.key, headers: headers)
            #expect(reply.status == 201, "\(reply.text)")
            let new = try #require(reply["key"]?.string)
            #expect(reply["name"]?.string == "ci")
            #expect(reply["scopes"] == ["keys:write", "people:read"])
            #expect(reply["expiresAt"]?.string == "2022-12-19T16:00:00Z")
            #expect(reply["replaces", "id"]?.string == old.id)
            #expect(reply["replaces", "expiresAt"]?.string == "2022-12-18T16:01:00Z")
            let again = try await rig.call(.post, path, #"{"overlapSeconds":60}"#, key: old.key, headers: headers)
            #expect(again.code == "answerNotKept")
            rig.clock.advance(59)
            for key in [old.key, new] { #expect(try await rig.call(.get, "/v1/devices", key: key).status == 200) }
            rig.clock.advance(1)
            #expect(try await rig.call(.get, "/v1/devices", key: old.key).code == "keyInvalid")
            #expect(try await rig.call(.get, "/v1/devices", key: new).status == 200)
            #expect(try await rig.call(.post, path, "{}").code == "keyUnknown")
        }
    }

    @Test func `Of keys that open nothing any more so many are listed, the newest`() async throws {
        try await Rig.run { rig in
            try await rig.store.write { ledger in
                let app = try ledger.app(bundleID: "org.example.match")?.id
                for number in 0..<APIKeys.outOfUse + 20 {
                    let secret = Keyring.make(.apiKey)
                    var key = try APIKeys(Transaction(ledger, at: Rig.start)).create(
                        .init(name: "\(number)"), of: app, secret: secret)
                    key.revokedAt = Rig.start
                    try ledger.update(key)
                }
            }
            let last = try await make(rig, #"{"name":"last"}"#)
            let keys = try await rig.call(.get, "/v1/keys")["keys"]?.array ?? []
            #expect(keys.first?.object?["name"]?.string == "first")
            #expect(keys.count { $0.object?["revokedAt"] != nil } <= APIKeys.outOfUse)
            #expect(keys.last?.object?["id"]?.string == last.id)
        }
    }

    @Test func `The use of a key is noted beside its calls, once a minute at most`() async throws {
        try await Rig.run { rig in
            func lastUse() async throws -> String? {
                try await rig.keyUses.write(to: rig.store)
                return try await rig.store.read { try $0.apiKeys(of: nil).first?.lastUsedAt?.rfc3339 }
            }
            #expect(try await lastUse() == "2022-12-18T15:00:00Z")
            rig.clock.advance(59)
            let commits = await rig.store.commits
            #expect(try await rig.call(.get, "/v1/apps", key: rig.operatorKey).status == 200)
            #expect(try await lastUse() == "2022-12-18T15:00:00Z")
            #expect(await rig.store.commits == commits)
            rig.clock.advance(1)
            #expect(try await rig.call(.get, "/v1/apps", key: rig.operatorKey).status == 200)
            #expect(await rig.store.commits == commits)
            #expect(try await lastUse() == "2022-12-18T15:01:00Z")
            let list = try await rig.call(.get, "/v1/keys", key: rig.operatorKey)
            #expect(list["keys", "0", "lastUsedAt"]?.string == "2022-12-18T15:01:00Z")
        }
    }
}
