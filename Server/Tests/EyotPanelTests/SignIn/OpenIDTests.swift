import Crypto
import EyotCommands
import EyotContract
import EyotDomain
import EyotIdentity
import Foundation
import HTTPConnections
import HTTPTypes
import Synchronization
import Testing

@testable import EyotPanel

/// A provider in this process that can be told to lie.
final class LyingProvider: ProviderClient {
    static let issuer = "https://id.example.org"

    struct Lies: Sendable {
        /// Changes the claims of ID tokens.
        var claims: @Sendable (inout JSONObject) -> Void = { _ in }
        var header: @Sendable (inout JSONObject) -> Void = { _ in }
        /// Whether another key signs than the one that is published.
        var hasOtherKey = false
        var description: @Sendable (inout JSONObject) -> Void = { _ in }
    }

    private let key = P256.Signing.PrivateKey()
    private let state: Mutex<(lies: Lies, nonce: String, forms: [[String: String]])>
    private let clock: StandingClock

    init(_ lies: Lies, clock: StandingClock) {
        self.clock = clock
        state = Mutex((lies, "", []))
    }

    /// The nonce that the browser brought to the authorization endpoint.
    func authorize(nonce: String) { state.withLock { $0.nonce = nonce } }

    /// The forms that the token endpoint got.
    var forms: [[String: String]] { state.withLock { $0.forms } }

    func call(_ call: ProviderCall) async throws -> (status: Int, body: [UInt8]) {
        switch call.url {
        case Self.issuer + "/.well-known/openid-configuration": return (200, JSONValue.object(description).utf8)
        case Self.issuer + "/jwks": return (200, keys.utf8)
        case Self.issuer + "/token":
            let form = Dictionary(uniqueKeysWithValues: (call.form ?? []).map { ($0.name, $0.value.text) })
            state.withLock { $0.forms.append(form) }
            let tokens = JSONObject([("id_token", .string(try token())), ("access_token", "a1")])
            return (200, JSONValue.object(tokens).utf8)
        case Self.issuer + "/userinfo":
            let person: JSONValue = ["sub": "s1", "email": "ana@example.org", "email_verified": true]
            return (200, person.utf8)
        default: return (404, [])
        }
    }

    private var description: JSONObject {
        var object = JSONObject([("issuer", .string(Self.issuer))])
        for (name, path) in [("authorization_endpoint", "auth"), ("token_endpoint", "token"), ("jwks_uri", "jwks")] {
            object[name] = .string("\(Self.issuer)/\(path)")
        }
        state.withLock { $0.lies.description(&object) }
        return object
    }

    private var keys: JSONValue {
        let point = key.publicKey.rawRepresentation
        let key = JSONObject([
            ("kty", "EC"), ("crv", "P-256"), ("kid", "k1"), ("x", .string(Self.base64(point.prefix(32)))),
            ("y", .string(Self.base64(point.suffix(32)))),
        ])
        return ["keys": .array([.object(key)])]
    }

    private func token() throws -> String {
        let lies = state.withLock { $0.lies }
        let now = clock.now.second
        var header = JSONObject([("alg", "ES256"), ("kid", "k1"), ("typ", "JWT")])
        lies.header(&header)
        var claims = JSONObject([
            ("iss", .string(Self.issuer)), ("aud", "eyot"), ("sub", "s1"), ("exp", .integer(now + 300)),
            ("iat", .integer(now)), ("nonce", .string(state.withLock { $0.nonce })), ("email", "ana@example.org"),
            ("email_verified", true),
        ])
        lies.claims(&claims)
        let signed = Self.base64(JSONValue.object(header).utf8) + "." + Self.base64(JSONValue.object(claims).utf8)
        let signer = lies.hasOtherKey ? P256.Signing.PrivateKey() : key
        return signed + "." + Self.base64(try signer.signature(for: Data(signed.utf8)).rawRepresentation)
    }

    private static func base64(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

/// Sign-in by OpenID Connect, with a provider and a browser that lie.
@Suite("Sign-in by OpenID Connect", .timeLimit(.minutes(10)))
struct OpenIDTests {
    /// Runs a test with a provider, and a member that has its address.
    private static func run(
        _ lies: LyingProvider.Lies = .init(),
        _ test: @escaping @Sendable (AccessRig, LyingProvider) async throws -> Void
    ) async throws {
        let made = Mutex<LyingProvider?>(nil)
        var setup = AccessRig.Setup()
        setup.openID = { clock in
            let provider = LyingProvider(lies, clock: clock)
            made.withLock { $0 = provider }
            let settings = OpenIDSettings(
                issuer: LyingProvider.issuer, clientID: "eyot", clientSecret: Secret("a/secret"))
            return OpenIDProvider(settings, client: provider, verifier: JWTVerifier(), clock: clock)
        }
        try await AccessRig.run(setup) { rig in
            _ = try await rig.link("ana@example.org", .viewer, in: "match")
            try await test(rig, present(made.withLock { $0 }))
        }
    }

    /// Goes to the provider, and returns what it got.
    private func begin(_ rig: AccessRig, _ browser: inout AccessRig.Browser) async throws -> [String: String] {
        let answer = try await rig.send(.get, "/panel/oidc", by: &browser)
        let location = try present(answer.headers[.location])
        let items = try present(URLComponents(string: location)?.queryItems)
        return Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.value ?? "") })
    }

    private func finish(
        _ rig: AccessRig, _ browser: inout AccessRig.Browser, state: String, more: String = ""
    ) async throws -> HTTPResponse.Status {
        // The browser comes from the provider's site.
        browser.site = "cross-site"
        return try await rig.send(
            .get, "/panel/oidc/callback?code=c1&state=\(state)\(more)", by: &browser
        ).status
    }

    @Test func `A member signs in with code, PKCE, state and nonce`() async throws {
        try await Self.run { rig, provider in
            var browser = AccessRig.Browser()
            let query = try await begin(rig, &browser)
            #expect(query["response_type"] == "code")
            #expect(query["code_challenge_method"] == "S256")
            #expect(query["redirect_uri"]?.hasSuffix("/panel/oidc/callback") == true)
            provider.authorize(nonce: query["nonce"] ?? "")
            #expect(try await finish(rig, &browser, state: query["state"] ?? "") == .seeOther)
            #expect(browser.cookies.keys.sorted() == ["__Host-eyot"])
            #expect(try await rig.send(.get, "/panel", by: &browser).text.contains("ana@example.org"))
            let form = try present(provider.forms.first)
            let digest = SHA256.hash(data: Data((form["code_verifier"] ?? "").utf8))
            let challenge = Data(digest).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
            #expect(challenge == query["code_challenge"])
        }
    }

    @Test func `A return that did not begin in this browser signs nobody in`() async throws {
        try await Self.run { rig, provider in
            var (browser, other) = (AccessRig.Browser(), AccessRig.Browser())
            let query = try await begin(rig, &browser)
            let foreign = try await begin(rig, &other)
            provider.authorize(nonce: query["nonce"] ?? "")
            // An attacker's return in a victim's browser, and the other way round.
            #expect(try await finish(rig, &browser, state: foreign["state"] ?? "") == .forbidden)
            var none = AccessRig.Browser()
            #expect(try await finish(rig, &none, state: query["state"] ?? "") == .forbidden)
            // The cookie is good for one return.
            #expect(try await finish(rig, &browser, state: query["state"] ?? "") == .forbidden)
            #expect(provider.forms.isEmpty)
            for browser in [browser, none] { #expect(browser.cookies["__Host-eyot"] == nil) }
        }
    }

    @Test func `A provider that names another issuer in its return is refused`() async throws {
        try await Self.run { rig, provider in
            var browser = AccessRig.Browser()
            let query = try await begin(rig, &browser)
            provider.authorize(nonce: query["nonce"] ?? "")
            let status = try await finish(
                rig, &browser, state: query["state"] ?? "", more: "&iss=https%3A%2F%2Fevil.example")
            #expect(status == .badGateway)
        }
    }

    private static let lies: [(String, LyingProvider.Lies)] = [
        ("nonce", .init(claims: { $0["nonce"] = "other" })), ("no nonce", .init(claims: { $0["nonce"] = nil })),
        ("audience", .init(claims: { $0["aud"] = "other" })),
        ("audience of two", .init(claims: { $0["aud"] = ["eyot", "other"] })),
        ("party", .init(claims: { $0["azp"] = "other" })),
        ("issuer", .init(claims: { $0["iss"] = "https://id.example.com" })),
        ("expired", .init(claims: { $0["exp"] = 1 })), ("no end", .init(claims: { $0["exp"] = nil })),
        ("not yet", .init(claims: { $0["nbf"] = .integer(4_000_000_000) })),
        ("no moment", .init(claims: { $0["nbf"] = "soon" })),
        ("issued later", .init(claims: { $0["iat"] = .integer(4_000_000_000) })),
        ("subject", .init(claims: { $0["sub"] = nil })), ("key", .init(hasOtherKey: true)),
        ("none", .init(header: { $0["alg"] = "none" })), ("HS256", .init(header: { $0["alg"] = "HS256" })),
        ("RS256", .init(header: { $0["alg"] = "RS256" })), ("unknown key", .init(header: { $0["kid"] = "k2" })),
        ("critical", .init(header: { $0["crit"] = ["x"] })),
    ]

    @Test("An ID token that is wrong in one way signs in nobody", arguments: lies.map(\.0))
    func tokens(_ name: String) async throws {
        let lie = try present(Self.lies.first { $0.0 == name }).1
        try await Self.run(lie) { rig, provider in
            var browser = AccessRig.Browser()
            let query = try await begin(rig, &browser)
            provider.authorize(nonce: query["nonce"] ?? "")
            #expect(try await finish(rig, &browser, state: query["state"] ?? "") == .badGateway)
            #expect(browser.cookies.isEmpty)
        }
    }

    @Test("A person whom the provider has not verified, or no member is, gets a page that says so", arguments: 0...1)
    func unknown(_ kind: Int) async throws {
        let lie = LyingProvider.Lies(
            claims: { claims in
                if kind == 0 { claims["email_verified"] = false } else { claims["email"] = "eve@example.org" }
            })
        try await Self.run(lie) { rig, provider in
            var browser = AccessRig.Browser()
            let query = try await begin(rig, &browser)
            provider.authorize(nonce: query["nonce"] ?? "")
            #expect(try await finish(rig, &browser, state: query["state"] ?? "") == .forbidden)
            #expect(browser.cookies.isEmpty)
        }
    }

    @Test(
        "What an ID token denies of an address, no answer without a signature grants; what it leaves out, one may",
        arguments: [(false, HTTPResponse.Status.forbidden), (nil, .seeOther)] as [(Bool?, HTTPResponse.Status)])
    func userInfo(_ isVerified: Bool?, _ status: HTTPResponse.Status) async throws {
        let lie = LyingProvider.Lies(
            claims: { $0["email_verified"] = isVerified.map(JSONValue.bool) },
            description: { $0["userinfo_endpoint"] = .string(LyingProvider.issuer + "/userinfo") })
        try await Self.run(lie) { rig, provider in
            var browser = AccessRig.Browser()
            let query = try await begin(rig, &browser)
            provider.authorize(nonce: query["nonce"] ?? "")
            #expect(try await finish(rig, &browser, state: query["state"] ?? "") == status)
        }
    }

    @Test func `One attempt makes the server call the provider a limited number of times in a minute`() async throws {
        var setup = AccessRig.Setup()
        let made = Mutex<LyingProvider?>(nil)
        setup.proxies = TrustedProxies([try present(AddressRange("127.0.0.0/8"))])
        (setup.isEncrypted, setup.isLive) = (false, true)
        setup.openID = { clock in
            let provider = LyingProvider(.init(hasOtherKey: true), clock: clock)
            made.withLock { $0 = provider }
            return OpenIDProvider(
                OpenIDSettings(issuer: LyingProvider.issuer, clientID: "eyot"), client: provider,
                verifier: JWTVerifier(), clock: clock)
        }
        try await AccessRig.run(setup) { rig in
            let provider = try present(made.withLock { $0 })
            var browser = AccessRig.Browser(
                headers: ["X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https", "Host": "panel.example.org"])
            let query = try await begin(rig, &browser)
            let cookies = browser.cookies
            var statuses: [Int] = []
            for _ in 0..<50 {
                // The attacker keeps the cookie that the server takes back.
                browser.cookies = cookies
                statuses.append(try await finish(rig, &browser, state: query["state"] ?? "").code)
            }
            #expect(provider.forms.count <= SignInLimits.triesPerMinute)
            #expect(statuses.last == 429)
            // The way there is limited too, and another network is not concerned.
            browser.site = "same-origin"
            var begun: [Int] = []
            for _ in 0..<50 { begun.append(try await rig.send(.get, "/panel/oidc", by: &browser).status.code) }
            #expect(begun.contains(303) && begun.last == 429)
            browser.headers["X-Forwarded-For"] = "198.51.100.9"
            #expect(try await rig.send(.get, "/panel/oidc", by: &browser).status == .seeOther)
        }
    }

    @Test("A provider's description that is not its own, or without TLS, is not used", arguments: 0...2)
    func descriptions(_ kind: Int) async throws {
        let lie = LyingProvider.Lies(
            description: { object in
                switch kind {
                case 0: object["issuer"] = "https://evil.example"
                case 1: object["token_endpoint"] = "http://id.example.org/token"
                default: object["authorization_endpoint"] = "javascript:alert(1)"
                }
            })
        try await Self.run(lie) { rig, _ in
            var browser = AccessRig.Browser()
            let answer = try await rig.send(.get, "/panel/oidc", by: &browser)
            #expect(answer.status == .badGateway)
            #expect(answer.headers[.location] == nil)
        }
    }
}
