import EyotCommands
import EyotContract
import EyotDomain
import HTTPConnections
import HTTPTypes
import Testing

@testable import EyotHTTP

/// Where a key may be used, and which phones it reaches.
@Suite("Keys of addresses and of an environment", .timeLimit(.minutes(10)))
struct KeyReachTests {
    private static let body =
        #"{"type":"Match","attributes":{"m":1},"contentState":{"n":1},"alert":{"title":"A","body":"B"},"audience":"all"}"#

    @Test func `A key of addresses works from there alone, behind a proxy too, and makes no wider key`() async throws {
        let proxies = TrustedProxies([try #require(AddressRange("127.0.0.0/8"))], header: .forwardedFor)
        let secret = Keyring.make(.apiKey)
        try await ListeningServer.run(proxies: proxies, change: ListeningServer.unchanged) { server in
            try await server.store.write { ledger in
                var wanted = APIKeys.Wanted(name: "k")
                wanted.reach = APIKeys.Reach(addresses: ["203.0.113.0/24", "2001:db8::/32"])
                _ = try APIKeys(Transaction(ledger, at: Rig.start))
                    .create(wanted, of: ledger.apps().first?.id, secret: secret)
            }
            let cases = [
                ("203.0.113.200", 200), ("2001:db8:1::7", 200), ("203.0.114.1", 403), ("2001:db9::1", 403), ("", 403),
            ]
            for (address, expected) in cases {
                let header = address.isEmpty ? "" : "X-Forwarded-For: \(address)\r\n"
                let (answers, answer) = AsyncStream.makeStream(of: Int.self)
                try await server.connect { connection in
                    try await connection.send(
                        Array(
                            ("GET /v1/devices HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(secret.secret.text)\r\n"
                                + "\(header)Connection: close\r\n\r\n").utf8))
                    answer.yield(Int(await connection.readToEnd().dropFirst("HTTP/1.1 ".count).prefix(3)) ?? 0)
                }
                #expect(try #require(await answers.first { _ in true }) == expected, "\(address)")
            }
        }
        try await Rig.run { rig in
            let made = try await rig.call(.post, "/v1/keys", #"{"name":"k","addresses":["10.0.0.0/8"]}"#)
            #expect(made["addresses"] == ["10.0.0.0/8"], "\(made.text)")
            let key = try #require(made["key"]?.string)
            // The address of a call of this rig is unknown.
            #expect(try await rig.call(.get, "/v1/devices", key: key).code == "keyForbidden")
            let rotated = try await rig.call(.post, "/v1/keys/\(made["id"]?.string ?? "")/rotate", "{}")
            #expect(rotated["addresses"] == ["10.0.0.0/8"])
            for wrong in [#"["x"]"#, "[]", #"["10.0.0.0/33"]"#] {
                let refused = try await rig.call(.post, "/v1/keys", #"{"name":"k","addresses":\#(wrong)}"#)
                #expect(refused.status == 422 && refused.field?.hasPrefix("addresses") == true, "\(refused.text)")
            }
            try await rig.store.write { ledger in
                let keys = APIKeys(Transaction(ledger, at: Rig.start))
                func make(_ addresses: [String]?, by maker: APIKey?) throws -> APIKey {
                    var wanted = APIKeys.Wanted(name: "n")
                    wanted.reach = APIKeys.Reach(addresses: addresses)
                    return try keys.create(
                        wanted, of: AppID(rawValue: 1), secret: Keyring.make(.apiKey), by: maker)
                }
                let maker = try make(["10.0.0.0/8"], by: nil)
                let own = try make(nil, by: maker).addresses
                #expect(own == ["10.0.0.0/8"])
                #expect(throws: EyotError.self) { try make(["0.0.0.0/0"], by: maker) }
            }
        }
    }

    @Test func `A key of the sandbox starts, updates and ends nothing on phones of the App Store`() async throws {
        try await Rig.run { rig in
            _ = try await rig.phone("sandbox")
            let production = try await rig.call(
                .post, "/v1/device/register",
                Rig.registration("store").replacing(#""sandbox""#, with: #""production""#), key: rig.match.app)
            let secret = try #require(production["secret"]?.string)
            let token = #"{"sequence":1,"kind":"setStartToken","type":"Match","token":"\#(Rig.token("store"))"}"#
            #expect(try await rig.changes(secret, token).status == 200)
            let made = try await rig.call(.post, "/v1/keys", #"{"name":"ci","environment":"sandbox"}"#)
            let ci = try #require(made["key"]?.string)
            let live = Self.body.replacing(#""audience""#, with: #""live":{"limit":9},"audience""#)
            let start = try await rig.call(.post, "/v1/activities/own/start", live, key: ci)
            #expect((start.status, start["starting"]?.integer) == (202, 1), "\(start.text)")
            #expect(try await rig.call(.post, "/v1/activities/a/start", Self.body)["starting"]?.integer == 2)
            let update = try await rig.call(.post, "/v1/activities/a/update", Body.update, key: ci)
            #expect((update.status, update["members"]?.integer) == (202, 1), "\(update.text)")
            #expect(try await rig.call(.post, "/v1/activities/a/end", "{}", key: ci)["members"]?.integer == 1)
            // What is for all cards of an activity that the App Store's phones have is refused.
            let put = #"{"contentState":{"n":3}}"#
            #expect(try await rig.call(.put, "/v1/activities/a", put, key: ci).code == "keyForbidden")
            #expect(try await rig.call(.put, "/v1/activities/own", put, key: ci).status == 202)
            let running = try await rig.call(.get, "/v1/activities/a")
            #expect(running["state"]?.string != "ended", "\(running.text)")
            for (method, path, body) in [
                (HTTPRequest.Method.post, "/v1/apps/org.example.match/halt", nil), (.delete, "/v1/devices/1", nil),
                (.put, "/v1/users/u", #"{"tags":[]}"#), (.post, "/v1/keys", #"{"name":"n"}"#),
            ] {
                let refused = try await rig.call(method, path, body, key: ci)
                #expect(refused.code == "keyForbidden", "\(path) \(refused.text)")
            }
            #expect(try await rig.call(.get, "/v1/devices", key: ci).status == 200)
        }
    }
}
