import EyotCommands
import EyotDomain
import HTTPConnections
import HTTPTypes
import Testing

@testable import EyotPanel

/// An authenticating proxy, and callers who pretend to be one.
@Suite("Sign-in by a proxy", .timeLimit(.minutes(10)))
struct ProxyTests {
    private static func setup(trusting range: String?) throws -> AccessRig.Setup {
        var setup = AccessRig.Setup()
        (setup.isEncrypted, setup.isLive) = (false, true)
        setup.proxyHeader = "X-Member"
        if let range { setup.proxies = TrustedProxies([try #require(AddressRange(range))]) }
        return setup
    }

    private static let headers = [
        "X-Member": "ana", "X-Forwarded-For": "203.0.113.7", "X-Forwarded-Proto": "https", "Host": "panel.example.org",
    ]

    @Test func `A trusted proxy signs its member in, and out`() async throws {
        try await AccessRig.run(try Self.setup(trusting: "127.0.0.0/8")) { rig in
            try await rig.add("ana")
            var browser = AccessRig.Browser(headers: Self.headers)
            let answer = try await rig.send(.get, "/panel/sign-in?to=%2Fpanel%2Fme", by: &browser)
            #expect(answer.headers[.location] == "/panel/me")
            #expect(browser.cookies.keys.sorted() == ["__Host-eyot"])
            #expect(try await rig.send(.get, "/panel/me", by: &browser).status == .ok)
            for name in ["bob", nil] {
                browser.headers["X-Member"] = name
                #expect(try await rig.send(.get, "/panel/me", by: &browser).status == .seeOther)
            }
        }
    }

    @Test func `A name that is no member's is refused`() async throws {
        try await AccessRig.run(try Self.setup(trusting: "127.0.0.0/8")) { rig in
            var browser = AccessRig.Browser(headers: Self.headers)
            let answer = try await rig.send(.get, "/panel/sign-in", by: &browser)
            #expect(answer.status == .forbidden)
            #expect(browser.cookies.isEmpty)
        }
    }

    @Test("The header of a caller that is no trusted proxy is not read", arguments: [nil, "203.0.113.0/24"])
    func untrusted(_ range: String?) async throws {
        try await AccessRig.run(try Self.setup(trusting: range)) { rig in
            try await rig.add("ana")
            var browser = AccessRig.Browser(headers: ["X-Member": "ana", "X-Forwarded-Proto": "https"])
            let answer = try await rig.send(.get, "/panel/sign-in", by: &browser)
            #expect(answer.status == .ok)
            #expect(answer.text.contains("<form"))
            #expect(browser.cookies.isEmpty)
        }
    }
}
