import Crypto
import EyotCommands
import EyotContract
import EyotDomain
import Testing

@Suite("Apps and keys")
struct AppTests {
    private static let path = "/v1/apps/org.example.match/apns-keys/sandbox"

    private static func body(_ privateKey: String, team: String = "TEAM123456", key: String = "KEY1234567") -> String {
        JSONValue.object(
            JSONObject([("teamID", .string(team)), ("keyID", .string(key)), ("privateKey", .string(privateKey))])
        ).text
    }

    @Test func `The operator declares an app and gets its keys once`() async throws {
        try await Rig.run { rig in
            let created = try await rig.call(
                .post, "/v1/apps", #"{"bundleID":"org.example.third","name":"Third"}"#, key: rig.operatorKey)
            #expect(created.status == 201)
            let apiKey = try #require(created["apiKey"]?.string)
            let appKey = try #require(created["appKey"]?.string)
            #expect(apiKey.hasPrefix("eyot_sk_"))
            #expect(appKey.hasPrefix("eyot_pk_"))
            let own = try await rig.call(.get, "/v1/apps", key: apiKey)
            #expect(own["apps"]?.array?.count == 1)
            #expect(own["apps", "0", "bundleID"]?.string == "org.example.third")
            #expect(own["apps", "0", "appKey"]?.string == appKey)
            #expect(!own.text.contains(apiKey))
            #expect(try await rig.call(.get, "/v1/apps", key: rig.operatorKey)["apps"]?.array?.count == 3)
            let again = try await rig.call(
                .post, "/v1/apps", #"{"bundleID":"org.example.third","name":"x"}"#, key: rig.operatorKey)
            #expect(again.status == 409)
            #expect(again.code == "appTaken")
        }
    }

    @Test("A bundle id that Apple would not take is refused", arguments: ["", "a b", "a/b", "ä.b", "a_b"])
    func bundleID(_ bundleID: String) async throws {
        try await Rig.run { rig in
            let reply = try await rig.call(
                .post, "/v1/apps", #"{"bundleID":"\#(bundleID)","name":"x"}"#, key: rig.operatorKey)
            #expect(reply.code == "fieldInvalid")
            #expect(reply.field == "bundleID")
        }
    }

    @Test func `An APNs key is stored sealed and never answered`() async throws {
        try await Rig.run { rig in
            let pem = P256.Signing.PrivateKey().pemRepresentation
            let stored = try await rig.call(.put, Self.path, Self.body(pem))
            #expect(stored.status == 200, "\(stored.text)")
            #expect(stored["keyID"]?.string == "KEY1234567")
            let listed = try await rig.call(.get, "/v1/apps/org.example.match/apns-keys")
            #expect(listed["apnsKeys", "0", "teamID"]?.string == "TEAM123456")
            let secretLine = try #require(pem.split(separator: "\n").dropFirst().first)
            for reply in [stored, listed, try await rig.call(.get, "/v1/apps")] {
                #expect(!reply.text.contains(secretLine))
                #expect(!reply.text.contains("privateKey"))
            }
            let rows = try await rig.store.read { ledger in
                try ledger.app(bundleID: "org.example.match").map { try ledger.apnsKeys(of: $0.id) } ?? []
            }
            let row = try #require(rows.first)
            #expect(!String(decoding: row.sealed.box, as: UTF8.self).contains(secretLine))
        }
    }

    static let wrongKeys: [(what: String, text: String, says: String)] = [
        ("nothing", "", "empty"),
        ("a certificate", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n", "certificate"),
        ("an RSA key", "-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----\n", "RSA"),
        ("a public key", P256.Signing.PrivateKey().publicKey.pemRepresentation, "public half"),
        ("a key of another curve", P384.Signing.PrivateKey().pemRepresentation, "not a P-256 key"),
        (
            "a locked key", "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\n-----END ENCRYPTED PRIVATE KEY-----",
            "password"
        ),
        ("a .p12 as text", "0\u{82}\u{3}", "binary"),
        ("anything else", "hello", ".p8"),
    ]

    @Test func `What is no APNs key is told what it is`() async throws {
        try await Rig.run { rig in
            let commits = await rig.store.commits
            for (what, text, says) in Self.wrongKeys {
                let reply = try await rig.call(.put, Self.path, Self.body(text))
                #expect(reply.status == 422, "\(what)")
                #expect(reply.code == "fieldInvalid", "\(what)")
                #expect(reply.field == "privateKey", "\(what)")
                #expect(reply["detail"]?.string?.contains(says) == true, "\(what): \(reply.text)")
            }
            let pem = P256.Signing.PrivateKey().pemRepresentation
            let team = try await rig.call(.put, Self.path, Self.body(pem, team: "TEAM"))
            #expect(team.field == "teamID")
            let key = try await rig.call(.put, Self.path, Self.body(pem, key: "KEY-123456"))
            #expect(key.field == "keyID")
            let place = try await rig.call(.put, Self.path.replacing("sandbox", with: "staging"), Self.body(pem))
            #expect(place.field == "environment")
            #expect(await rig.store.commits == commits)
        }
    }

    @Test func `A key is shown once, works, and stops when it is revoked`() async throws {
        try await Rig.run { rig in
            let made = try await rig.call(.post, "/v1/keys", #"{"name":"ci"}"#)
            #expect(made.status == 201)
            let secret = try #require(made["key"]?.string)
            let id = try #require(made["id"]?.string)
            #expect(try await rig.call(.get, "/v1/devices", key: secret).status == 200)
            let list = try await rig.call(.get, "/v1/keys")
            #expect(list["keys"]?.array?.count == 2)
            #expect(list["keys", "1", "name"]?.string == "ci")
            #expect(!list.text.contains(secret))
            #expect(list["keys", "1", "hint"]?.string?.hasPrefix(String(secret.prefix(12))) == true)
            #expect(try await rig.call(.delete, "/v1/keys/\(id)", key: rig.other.api).code == "keyUnknown")
            let itself = try await rig.call(.delete, "/v1/keys/\(id)", key: secret)
            #expect(itself.status == 403)
            #expect(itself.code == "keyForbidden")
            #expect(try await rig.call(.delete, "/v1/keys/\(id)").status == 204)
            #expect(try await rig.call(.delete, "/v1/keys/\(id)").status == 204)
            let refused = try await rig.call(.get, "/v1/devices", key: secret)
            #expect(refused.code == "keyInvalid")
            #expect(try await rig.call(.get, "/v1/keys")["keys", "1", "revokedAt"]?.string == "2022-12-18T15:00:00Z")
        }
    }

    @Test func `Keys have a limit`() async throws {
        try await Rig.run { rig in
            for number in 1..<APIKeys.limit {
                let made = try await rig.call(.post, "/v1/keys", #"{"name":"\#(number)"}"#)
                #expect(made.status == 201)
            }
            let more = try await rig.call(.post, "/v1/keys", #"{"name":"more"}"#)
            #expect(more.status == 422)
        }
    }

    @Test func `An app that is paused for want of an APNs key says that none is stored`() async throws {
        try await Rig.run(hasHints: true) { rig in
            try await rig.phone("one")
            try await rig.store.write { ledger in
                guard var app = try ledger.app(bundleID: "org.example.match") else { return }
                app.pauses[.sandbox] = AppPause(reason: .missingProviderToken, since: Rig.start)
                try ledger.update(unrecorded: app)
            }
            let paused = try await rig.call(.get, "/v1/apps/org.example.match")
            #expect(paused["pauses", "sandbox", "meaning"]?.string == "no APNs key is stored")
            let start = try await rig.call(.post, "/v1/activities/final/start", Body.start)
            let warnings = start["warnings"]?.array?.compactMap(\.string).filter { $0.contains("APNs key") }
            #expect(
                warnings == [
                    "The app has no APNs key for sandbox, so nothing is sent there. Store an APNs key of the app for "
                        + "the environment. [apnsKeyMissing]"
                ])
        }
    }

    @Test func `A paused app says why, and goes on when it is told to`() async throws {
        try await Rig.run { rig in
            try await rig.phone("one")
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            try await rig.store.write { ledger in
                guard var app = try ledger.app(bundleID: "org.example.match") else { return }
                app.pauses[.sandbox] = AppPause(reason: .invalidProviderToken, since: Rig.start)
                try ledger.update(unrecorded: app)
            }
            let paused = try await rig.call(.get, "/v1/apps/org.example.match")
            #expect(paused["pauses", "sandbox", "reason"]?.string == "InvalidProviderToken")
            #expect(paused["pauses", "sandbox", "nextTrialAt"]?.string == Rig.start.rfc3339)
            #expect(paused["pauses", "production"] == nil)
            let declared = try await rig.call(.post, "/v1/activities/final/update", Body.update)
            #expect(
                declared["warnings"]?.array?.compactMap(\.string) == [
                    "Apple refuses the app's APNs key for sandbox (InvalidProviderToken). Store a key that Apple takes "
                        + "for this environment and team, then resume the app. [apnsKeyRefused]"
                ])
            let resumed = try await rig.call(.post, "/v1/apps/org.example.match/resume")
            #expect(resumed.status == 200)
            #expect(resumed["pauses"] == nil)
            // The hint of the start, and the one of going on.
            var hints = rig.store.woken.makeAsyncIterator()
            let first = await hints.next()
            #expect(first?.count == 1)
            #expect(await hints.next() == first)
        }
    }
}
