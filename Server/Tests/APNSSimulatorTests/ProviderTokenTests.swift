import APNSSimulator
import APNSWire
import EyotContract
import Testing

@Suite struct ProviderTokenTests {
    /// One push with this provider token on a new connection: nil where it was accepted, else the reason.
    private func reason(
        _ apple: Apple, _ jwt: String, _ environment: PushEnvironment = .sandbox, scheme: String = "bearer"
    ) async throws -> String? {
        let client = try await apple.connect(environment)
        let headers = try apple.headers(["authorization": "\(scheme) \(jwt)"])
        let response = try await client.send(headers, body: Apple.payload)
        try await client.close()
        return response.reason
    }

    @Test func `signatures are taken bare and in DER, the scheme in any case, white space in the JSON`() async throws {
        let apple = try await Apple()
        #expect(try await reason(apple, apple.jwt()) == nil)
        #expect(try await reason(apple, apple.jwt(isDER: true)) == nil)
        #expect(try await reason(apple, apple.jwt(), scheme: "Bearer") == nil)
        let spaced = try apple.jwt(header: #"{ "alg": "ES256", "kid": "KEY0000001" }"#)
        #expect(try await reason(apple, spaced) == nil)
        await apple.simulator.shutdown()
    }

    @Test func `signatures in DER are refused where the rules are strict`() async throws {
        let apple = try await Apple { $0.rules.acceptsDERSignature = false }
        #expect(try await reason(apple, apple.jwt()) == nil)
        #expect(try await reason(apple, apple.jwt(isDER: true)) == "InvalidProviderToken")
        await apple.simulator.shutdown()
    }

    @Test func `tokens that are not right are invalid`() async throws {
        let apple = try await Apple()
        let now = Int(Apple.now.timeIntervalSince1970)
        let bad = [
            try apple.jwt(key: apple.secondKey), try apple.jwt(keyID: "KEY0000404"), try apple.jwt(team: "TEAM000404"),
            try apple.jwt(team: "TEAM000002"), try apple.jwt(header: #"{"kid":"KEY0000001"}"#),
            try apple.jwt(header: #"{"alg":"none","kid":"KEY0000001"}"#),
            try apple.jwt(header: #"{"alg":"HS256","kid":"KEY0000001"}"#),
            try apple.jwt(claims: #"{"iss":"TEAM000001"}"#), try apple.jwt(claims: #"{"iat":\#(now)}"#),
            try apple.jwt(claims: #"{"iss":"TEAM000001","iat":"soon"}"#),
            try apple.jwt(claims: #"{"iss":"TEAM000001","iat":\#(now)000}"#),
            String(try apple.jwt().dropLast(4)), try apple.jwt() + ".x", "..",
        ]
        for jwt in bad { #expect(try await reason(apple, jwt) == "InvalidProviderToken", "\(jwt)") }
        #expect(apple.phones.received.isEmpty)
        await apple.simulator.shutdown()
    }

    @Test func `an iat that is a string is taken, unless the rules are strict`() async throws {
        for isTaken in [true, false] {
            let apple = try await Apple { if !isTaken { $0.rules.acceptsTextIssueTime = false } }
            for unit in ["", "000"] {
                let now = "\(Int(Apple.now.timeIntervalSince1970))\(unit)"
                let jwt = try apple.jwt(claims: #"{"iss":"TEAM000001","iat":"\#(now)"}"#)
                #expect(try await reason(apple, jwt) == (isTaken ? nil : "InvalidProviderToken"))
            }
            await apple.simulator.shutdown()
        }
    }

    @Test func `a token lives an hour, also on the connection that showed it in time`() async throws {
        let apple = try await Apple()
        #expect(try await reason(apple, apple.jwt(age: 3_600)) == nil)
        #expect(try await reason(apple, apple.jwt(age: 3_601)) == "ExpiredProviderToken")
        #expect(try await reason(apple, apple.jwt(age: -3_601)) == "InvalidProviderToken")
        let client = try await apple.connect()
        let headers = try apple.headers(jwt: apple.jwt())
        #expect(try await client.send(headers, body: Apple.payload).status == 200)
        apple.advance(by: 3_601)
        #expect(try await client.send(headers, body: Apple.payload).reason == "ExpiredProviderToken")
        // A new token helps, unless the rules say that the connection is wedged.
        #expect(try await client.send(apple.headers(), body: Apple.payload).status == 200)
        await apple.simulator.shutdown()
    }

    @Test func `an expired token wedges its connection where the rules say so`() async throws {
        let apple = try await Apple { $0.rules.wedgesAfterExpiredToken = true }
        let client = try await apple.connect()
        let old = try apple.headers(jwt: apple.jwt(age: 3_700))
        #expect(try await client.send(old, body: Apple.payload).reason == "ExpiredProviderToken")
        #expect(try await client.send(apple.headers(), body: Apple.payload).reason == "ExpiredProviderToken")
        #expect(try await reason(apple, apple.jwt()) == nil)
        await apple.simulator.shutdown()
    }

    @Test func `a key of the sandbox is refused in production`() async throws {
        let apple = try await Apple()
        let jwt = try apple.jwt(key: apple.sandboxOnlyKey, keyID: "KEY0000003")
        #expect(try await reason(apple, jwt, .sandbox) == nil)
        #expect(try await reason(apple, jwt, .production) == "BadEnvironmentKeyIdInToken")
        await apple.simulator.shutdown()
    }

    @Test func `a connection belongs to the key and the team that it showed first`() async throws {
        let apple = try await Apple()
        let client = try await apple.connect()
        #expect(try await client.send(apple.headers(), body: Apple.payload).status == 200)
        let second = try apple.headers(jwt: apple.jwt(key: apple.secondKey, keyID: "KEY0000002"))
        #expect(try await client.send(second, body: Apple.payload).reason == "UnrelatedKeyIdInToken")
        let other = try apple.headers(
            jwt: apple.jwt(key: apple.otherTeamsKey, keyID: "KEY0000009", team: "TEAM000002"))
        #expect(try await client.send(other, body: Apple.payload).reason == "InvalidProviderToken")
        #expect(try await client.send(apple.headers(), body: Apple.payload).status == 200)
        await apple.simulator.shutdown()
    }

    @Test func `a connection takes one new token in 20 minutes, and after a second one nothing`() async throws {
        let apple = try await Apple()
        let client = try await apple.connect()
        let tokens = try (0..<4).map { try apple.jwt(age: Double($0)) }
        func push(_ index: Int) async throws -> String? {
            try await client.send(apple.headers(jwt: tokens[index]), body: Apple.payload).reason
        }
        #expect(try await push(0) == nil)
        #expect(try await push(1) == nil)
        #expect(try await push(0) == nil, "a token that was shown before is not new")
        #expect(try await push(2) == "TooManyProviderTokenUpdates")
        #expect(try await push(0) == "TooManyProviderTokenUpdates")
        #expect(try await reason(apple, tokens[2]) == nil, "another connection has its own count")
        apple.advance(by: 1_201)
        #expect(try await push(0) == nil)
        #expect(try await push(3) == nil)
        await apple.simulator.shutdown()
    }

    @Test func `the first token counts as an update where the rules say so`() async throws {
        let apple = try await Apple { $0.rules.countsFirstTokenAsUpdate = true }
        let client = try await apple.connect()
        #expect(try await client.send(apple.headers(), body: Apple.payload).status == 200)
        let second = try apple.headers(jwt: apple.jwt(age: 1))
        #expect(try await client.send(second, body: Apple.payload).status == 429)
        await apple.simulator.shutdown()
    }

    @Test func `a team that is registered later may push`() async throws {
        let apple = try await Apple()
        let jwt = try apple.jwt(key: apple.secondKey, keyID: "KEY0000007", team: "TEAM000003")
        #expect(try await reason(apple, jwt) == "InvalidProviderToken")
        apple.simulator.register(
            APNSTeam(
                id: "TEAM000003", bundleIDs: [Apple.bundleID],
                keys: [APNSTeamKey(id: "KEY0000007", publicKey: apple.secondKey.publicKey)]))
        #expect(try await reason(apple, jwt) == nil)
        await apple.simulator.shutdown()
    }
}
