import Crypto
import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import EyotVendors
import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import EyotHTTP

/// Access tokens for Airship's API: for an assertion that a client has signed, and not for guesses.
@Suite struct `Airship's tokens` {
    private let key = P384.Signing.PrivateKey()

    /// An assertion as Airship's own clients make it: for a minute.
    private func assertion(
        _ client: String, by key: P384.Signing.PrivateKey? = nil, _ changes: [String: JSONValue?] = [:],
        algorithm: String = "ES384"
    ) throws -> String {
        var claims = JSONObject([
            ("aud", "https://oauth2.asnapius.com/token"), ("exp", .integer(1_671_375_661)),
            ("iat", .integer(1_671_375_600)),
            ("iss", .string(client)), ("nonce", .string("\(UUID())")), ("sub", .string("app:\(client)")),
        ])
        for (name, value) in changes { claims[name] = value }
        let header = #"{"alg":"\#(algorithm)","kid":"\#(client)","typ":"JWT"}"#
        let text = "\(Proofs.encoded(Data(header.utf8))).\(Proofs.encoded(Data(JSONValue.object(claims).utf8)))"
        let signature = try (key ?? self.key).signature(for: Data(text.utf8)).rawRepresentation
        return "\(text).\(Proofs.encoded(signature))"
    }

    private func token(_ rig: Rig, _ assertion: String) async throws -> Reply {
        try await rig.call(
            .post, "/token", "grant_type=client_credentials&assertion=\(assertion)", key: nil,
            headers: ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"])
    }

    /// The app key of a key with this public key.
    private func makeKey(_ rig: Rig) async throws -> (id: String, client: String) {
        let pem = JSONValue.string(key.publicKey.pemRepresentation).text
        let made = try await rig.call(
            .post, "/v1/keys", #"{"name":"client","plane":"airship","publicKey":\#(pem)}"#)
        #expect(made["publicKey"]?.string == key.publicKey.pemRepresentation, "\(made.text)")
        return (try #require(made["id"]?.string), try #require(made["identifier"]?.string))
    }

    @Test func `What a client names is one app's, and keys that are revoked take nobody's place`() async throws {
        try await Rig.run { rig in
            let (id, client) = try await makeKey(rig)
            let foreign = JSONValue.string(P384.Signing.PrivateKey().publicKey.pemRepresentation).text
            let body = #"{"name":"c","plane":"airship","identifier":"\#(client)","publicKey":\#(foreign)}"#
            let refused = try await rig.call(.post, "/v1/keys", body, key: rig.other.api)
            #expect((refused.status, refused.field) == (422, "identifier"))
            for _ in 0..<APIKey.clientLimit {
                let made = try await rig.call(.post, "/v1/keys", body)
                #expect(try await rig.call(.delete, "/v1/keys/\(made["id"]?.string ?? "")").status == 204)
            }
            #expect(try await token(rig, assertion(client)).status == 200)
            #expect(try await rig.call(.delete, "/v1/keys/\(id)").status == 204)
            #expect(try await rig.call(.post, "/v1/keys", body, key: rig.other.api).status == 201)
        }
    }

    @Test func `An assertion that the client's key has signed gets a token that opens the API`() async throws {
        try await Rig.run { rig in
            let (id, client) = try await makeKey(rig)
            let first = try assertion(client)
            let reply = try await token(rig, first)
            #expect((reply.status, reply["expires_in"]?.integer) == (200, 3_600), "\(reply.text)")
            #expect(try await token(rig, first)["error"]?.string == "invalid_grant", "an assertion is good once")
            let access = try #require(reply["access_token"]?.string)
            let answer = try await rig.call(
                .post, "/api/push/validate", `Airship's API`.start, key: nil,
                headers: [
                    "Authorization": "Bearer \(access)", "X-UA-Appkey": client,
                    "Accept": "application/vnd.urbanairship+json; version=3;",
                ])
            #expect(answer.status == 200, "\(answer.text)")
            // A rotation leaves the pair of keys as it is.
            #expect(try await rig.call(.post, "/v1/keys/\(id)/rotate", #"{"overlapSeconds":0}"#).status == 201)
            #expect(try await token(rig, assertion(client)).status == 200)
            rig.clock.advance(121)
            #expect(try await token(rig, assertion(client))["error"]?.string == "invalid_grant")
        }
    }

    @Test func `One of another key, another client, another time, or for some addresses alone gets none`() async throws
    {
        try await Rig.run { rig in
            let (id, client) = try await makeKey(rig)
            for (text, status, error) in [
                (try assertion(client, by: P384.Signing.PrivateKey()), 401, "invalid_client"),
                (try assertion("none"), 401, "invalid_client"), (try assertion(client) + "x", 401, "invalid_client"),
                (try assertion(client, algorithm: "none"), 400, "invalid_request"),
                (try assertion(client, ["exp": .some(nil)]), 400, "invalid_request"), ("a.b", 400, "invalid_request"),
                (try assertion(client, ["sub": "app:other"]), 400, "invalid_grant"),
                (try assertion(client, ["aud": "https://example.org"]), 400, "invalid_grant"),
                (try assertion(client, ["exp": .integer(1_671_380_000)]), 400, "invalid_grant"),
                (try assertion(client, ["iat": .integer(1_671_380_000)]), 400, "invalid_grant"),
                (try assertion(client, ["ipaddr": ["203.0.113.0/24"]]), 400, "invalid_request"),
            ] {
                let reply = try await token(rig, text)
                #expect((reply.status, reply["error"]?.string) == (status, error), "\(reply.text)")
            }
            #expect(try await rig.call(.delete, "/v1/keys/\(id)").status == 204)
            #expect(try await token(rig, assertion(client)).status == 401)
        }
    }

    @Test func `A public key is P-384 and for Airship's API alone`() async throws {
        try await Rig.run { rig in
            for (plane, text) in [
                ("airship", P256.Signing.PrivateKey().publicKey.pemRepresentation), ("airship", Proofs.rsa),
                ("braze", key.publicKey.pemRepresentation), ("airship", "no key"),
            ] {
                let body = #"{"name":"k","plane":"\#(plane)","publicKey":\#(JSONValue.string(text).text)}"#
                let reply = try await rig.call(.post, "/v1/keys", body)
                #expect((reply.status, reply.field) == (422, "publicKey"), "\(reply.text)")
            }
        }
    }

    @Test(arguments: ["client_id=a&client_secret=guess", "assertion=a.guess.c"])
    func `Whoever guesses at the door of tokens waits as at any other`(_ form: String) async throws {
        var limits = CallLimits()
        limits.failedKeysPerMinute = 2
        let gate = CallGate(limits)
        let backend = Backend(
            store: MemoryStore(), clock: StandingClock(), sealer: Sealer(MasterKey.make()), checkAPNSKey: { _, _, _ in }
        )
        let route = try #require(Vendors.all.routes(backend).first { $0.path == "/token" })
        func ask(_ number: Int, _ status: HTTPResponse.Status) async throws {
            var call = Call(
                method: .post, path: "/token", parameters: [:], query: [:], headers: [:], credentials: .nobody,
                address: try SocketAddress(ipAddress: "203.0.113.7", port: 50_000), now: Rig.start)
            call.body = Array("grant_type=client_credentials&\(form)\(number)".utf8)
            let secret = try #require(route.secret?(call))
            _ = try await gate.watch(secret, of: call) { throw Refusal(Answer(status, nil)) }
        }
        // What is wrong otherwise is no guess.
        await #expect(throws: Refusal.self) { try await ask(0, .badRequest) }
        for number in 1...2 { await #expect(throws: Refusal.self) { try await ask(number, .unauthorized) } }
        let problem = await #expect(throws: Problem.self) { try await ask(3, .unauthorized) }
        #expect(problem?.error.code == .tooManyCalls)
    }
}
