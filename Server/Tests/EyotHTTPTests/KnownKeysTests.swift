import EyotCommands
import EyotDomain
import EyotSQLite
import EyotTestKit
import Testing

@testable import EyotHTTP

@Suite("Known keys")
struct KnownKeysTests {
    @Test func `A key is read with its first call, and again after a change`() async throws {
        let reads = Reads()
        func count(_ store: MemoryStore) -> CountingStore { CountingStore(base: store, reads: reads) }
        try await Rig.run(wrapping: count) { rig in
            func call(key: String) async throws -> Int {
                _ = reads.take()
                #expect(try await rig.call(.get, "/v1/devices", key: key).status == 200)
                return reads.take()
            }
            let first = try await call(key: rig.match.api)
            #expect(try await call(key: rig.match.api) == first - 1)
            #expect(try await call(key: rig.other.api) == first)
            #expect(try await call(key: rig.match.api) == first - 1)
            #expect(try await rig.call(.post, "/v1/keys", #"{"name":"ci"}"#).status == 201)
            #expect(try await call(key: rig.match.api) == first)
        }
    }

    @Test func `A key that is known opens nothing when its time is over, and no other app`() async throws {
        try await Rig.run { rig in
            let made = try await rig.call(
                .post, "/v1/keys", #"{"name":"ci","expiresAt":"2022-12-18T15:01:00Z","scopes":["people:read"]}"#)
            let secret = try #require(made["key"]?.string)
            func devices(_ headers: [String: String] = [:]) async throws -> Reply {
                try await rig.call(.get, "/v1/devices", key: secret, headers: headers)
            }
            for _ in 0..<2 {
                #expect(try await devices().status == 200)
                #expect(try await devices(["Eyot-App": "org.example.other"]).code == "keyForbidden")
                #expect(try await rig.call(.get, "/v1/keys", key: secret).code == "keyForbidden")
            }
            rig.clock.advance(60)
            #expect(try await devices().code == "keyInvalid")
        }
    }

    /// The store in memory counts every commit, and so cannot tell whether this is seen.
    @Test func `On SQLite a key that is known opens nothing from the answer to its revocation on`() async throws {
        let database = try SQLiteDatabase()
        func onSQLite(_: MemoryStore) -> any Store { SQLiteStore(database) }
        try await Rig.run(wrapping: onSQLite) { rig in
            let made = try await rig.call(.post, "/v1/keys", #"{"name":"ci","scopes":["people:read"]}"#)
            let (secret, id) = (try #require(made["key"]?.string), try #require(made["id"]?.string))
            for _ in 0..<2 { #expect(try await rig.call(.get, "/v1/devices", key: secret).status == 200) }
            #expect(try await rig.call(.delete, "/v1/keys/\(id)").status == 204)
            #expect(try await rig.call(.get, "/v1/devices", key: secret).code == "keyInvalid")
        }
    }

    private func known(_ number: Int, name: String = "k") -> KnownKeys.Known {
        let app = App(
            id: AppID(rawValue: 1), bundleID: "b", name: "n", publicKey: "p", createdAt: Instant(second: 1))
        let key = APIKey(
            app: app.id, name: name, hash: Keyring.hash(of: "\(number)"), hint: "h", createdAt: Instant(second: 1))
        return KnownKeys.Known(key: key, app: app)
    }

    @Test func `What was read before a change counts as unknown after it, whoever notes it when`() {
        let keys = KnownKeys()
        let hash = known(1).key.hash
        keys.note(known(1), at: 4)
        #expect(keys.find(hash, at: 4) != nil)
        #expect(keys.find(hash, at: 5) == nil)
        keys.note(known(2), at: 5)
        #expect(keys.find(hash, at: 5) == nil)
        keys.note(known(1, name: "late"), at: 4)
        #expect(keys.find(hash, at: 4) == nil && keys.find(hash, at: 5) == nil)
        #expect(keys.find(known(2).key.hash, at: 5) != nil)
    }

    @Test func `Of more keys than the limit some are forgotten`() {
        let keys = KnownKeys()
        for number in 0...KnownKeys.limit { keys.note(known(number), at: 1) }
        let found = (0...KnownKeys.limit).count { keys.find(known($0).key.hash, at: 1) != nil }
        #expect(found == KnownKeys.limit)
    }
}
