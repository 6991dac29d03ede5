import EyotCommands
import EyotDomain
import HTTPConnections
import HTTPTypes
import NIOCore
import Testing

@testable import EyotHTTP
@testable import EyotPanel

/// Sign-in as a browser, and an attacker with one, see it.
@Suite("Sign-in pages", .timeLimit(.minutes(10)))
struct SignInPageTests {
    @Test func `A member signs in, and the cookie is for this host alone`() async throws {
        try await AccessRig.run { rig in
            try await rig.add("ana")
            var browser = AccessRig.Browser()
            let page = try await rig.send(.get, "/panel/sign-in", by: &browser)
            #expect(page.status == .ok)
            #expect(page.text.contains(#"autocomplete="current-password""#))
            let answer = try await rig.send(
                .post, "/panel/sign-in?to=%2Fpanel%2Fme", ["name": "ana", "password": AccessRig.password], by: &browser)
            #expect(answer.status == .seeOther)
            #expect(answer.headers[.location] == "/panel/me")
            let cookie = try #require(answer.headers[.setCookie])
            #expect(cookie.hasPrefix("__Host-eyot=eyot_ss_"))
            for part in ["Path=/;", "Secure;", "HttpOnly;", "SameSite=Lax"] { #expect(cookie.contains(part)) }
            #expect(try await rig.send(.get, "/panel", by: &browser).status == .ok)
        }
    }

    @Test func `A stolen cookie opens nothing after the sign-out`() async throws {
        try await AccessRig.run { rig in
            try await rig.add("ana")
            var browser = try await rig.signIn("ana")
            var thief = browser
            #expect(try await rig.send(.get, "/panel/me", by: &thief).status == .ok)
            let token = try await rig.token(&browser)
            let out = try await rig.send(.post, "/panel/sign-out", ["token": token], by: &browser)
            #expect(out.headers[.location] == "/panel/sign-in?done=out")
            #expect(browser.cookies.isEmpty)
            #expect(try await rig.send(.get, "/panel/me", by: &thief).status == .seeOther)
        }
    }

    @Test func `A session that was planted before the sign-in is not used on`() async throws {
        try await AccessRig.run { rig in
            try await rig.add("ana")
            try await rig.add("eve")
            let planted = try await rig.signIn("eve")
            var browser = planted
            try await rig.send(
                .post, "/panel/sign-in", ["name": "ana", "password": AccessRig.password], by: &browser)
            #expect(browser.cookies != planted.cookies)
            var eve = planted
            #expect(try await rig.send(.get, "/panel/me", by: &eve).status == .seeOther)
        }
    }

    @Test func `The answer to a wrong try does not say what was wrong`() async throws {
        try await AccessRig.run { rig in
            try await rig.add("ana", .viewer, in: "match")
            var texts: Set<String> = []
            for name in ["ana", "eve"] {
                var browser = AccessRig.Browser()
                let answer = try await rig.send(
                    .post, "/panel/sign-in", ["name": name, "password": "wrong password"], by: &browser)
                #expect(answer.status == .forbidden)
                #expect(browser.cookies.isEmpty)
                texts.insert(answer.text.replacing(#"value="\#(name)""#, with: ""))
            }
            #expect(texts.count == 1)
        }
    }

    @Test("A form that another site sends is refused", arguments: ["cross-site", "same-site", nil])
    func crossSite(_ site: String?) async throws {
        try await AccessRig.run { rig in
            try await rig.add("ana")
            var browser = AccessRig.Browser(site: site)
            let answer = try await rig.send(
                .post, "/panel/sign-in", ["name": "ana", "password": AccessRig.password], by: &browser)
            #expect(answer.status == .forbidden)
            #expect(browser.cookies.isEmpty)
            var signedIn = try await rig.signIn("ana")
            let token = try await rig.token(&signedIn)
            signedIn.site = site
            for path in ["/panel/sign-out", "/panel/me/sessions"] {
                #expect(try await rig.send(.post, path, ["token": token], by: &signedIn).status == .forbidden)
            }
            #expect(try await rig.send(.get, "/panel/me", by: &signedIn).status == .ok)
        }
    }

    @Test func `A form without the session's own token is refused`() async throws {
        try await AccessRig.run { rig in
            try await rig.add("ana")
            try await rig.add("eve")
            var (ana, eve) = (try await rig.signIn("ana"), try await rig.signIn("eve"))
            let foreign = try await rig.token(&eve)
            for token in [nil, "", foreign] {
                let fields = token.map { ["token": $0] } ?? [:]
                for path in ["/panel/sign-out", "/panel/me/sessions", "/panel/members/add"] {
                    #expect(try await rig.send(.post, path, fields, by: &ana).status == .forbidden)
                }
            }
            #expect(try await rig.send(.get, "/panel/me", by: &ana).status == .ok)
        }
    }

    @Test(
        "The sign-in leads to a page of the panel and nowhere else",
        arguments: [
            ("/panel/why?user=ana", "/panel/why?user=ana"), ("/panel", "/panel"), ("//evil.example", "/panel"),
            ("https://evil.example", "/panel"), ("/panelevil", "/panel"), ("/panel/\\evil", "/panel"),
            ("/panel/\r\nSet-Cookie: a=b", "/panel"), ("/v1/apps", "/panel"),
        ])
    func targets(_ wanted: String, _ target: String) { #expect(SignInRoutes.target(wanted) == target) }

    @Test func `Without TLS, and from elsewhere, nothing is asked and nothing is taken`() async throws {
        var setup = AccessRig.Setup()
        setup.isEncrypted = false
        try await AccessRig.run(setup) { rig in
            let link = try await rig.link("bob", .viewer, in: "match")
            try await rig.add("ana")
            var browser = AccessRig.Browser()
            for path in ["/panel/sign-in", "/panel/link/\(link)"] {
                let page = try await rig.send(.get, path, by: &browser)
                #expect(page.status == .forbidden)
                #expect(page.text.contains("needs TLS") && !page.text.contains("<form"))
            }
            let answer = try await rig.send(
                .post, "/panel/sign-in", ["name": "ana", "password": AccessRig.password], by: &browser)
            #expect(answer.status == .forbidden)
            try await rig.send(.post, "/panel/link/\(link)", ["password": AccessRig.password], by: &browser)
            #expect(browser.cookies.isEmpty)
            #expect(try await rig.members.view(ofLink: link) != nil)
        }
    }

    @Test func `On this machine the cookie has another name`() async throws {
        var setup = AccessRig.Setup()
        (setup.isEncrypted, setup.isLive) = (false, true)
        try await AccessRig.run(setup) { rig in
            try await rig.add("ana")
            var browser = try await rig.signIn("ana")
            #expect(browser.cookies.keys.sorted() == ["eyot-local"])
            #expect(try await rig.send(.get, "/panel/me", by: &browser).status == .ok)
        }
    }

    @Test(
        "Without TLS only this machine counts, asked for by a name of its own",
        arguments: [
            ("127.0.0.1", "localhost:8080", true), ("127.0.0.1", "127.0.0.1:1", true), ("::1", "[::1]:8080", true),
            ("127.0.0.1", "panel.example.org", false), ("127.0.0.1", "localhost.example.org", false),
            ("127.0.0.1", nil, false), ("203.0.113.7", "localhost:8080", false), (nil, "localhost", false),
        ] as [(String?, String?, Bool)])
    func local(_ address: String?, _ host: String?, _ isTaken: Bool) throws {
        var call = Call(
            method: .get, path: "/panel", parameters: [:], query: [:], headers: [:], credentials: .nobody,
            now: Instant(second: 0))
        call.host = host
        call.origin.address = try address.map { try SocketAddress(ipAddress: $0, port: 0) }
        #expect(SessionCookie(for: call) == (isTaken ? .local : nil))
        call.origin.isEncrypted = true
        #expect(SessionCookie(for: call) == .overTLS)
    }

    @Test func `The cookie of this machine opens nothing over TLS, nor do two cookies of one name`() async throws {
        try await AccessRig.run { rig in
            try await rig.add("ana")
            let browser = try await rig.signIn("ana")
            let secret = try #require(browser.cookies["__Host-eyot"])
            var other = AccessRig.Browser(cookies: ["eyot-local": secret])
            #expect(try await rig.send(.get, "/panel/me", by: &other).status == .seeOther)
            var twice = AccessRig.Browser(headers: ["Cookie": "__Host-eyot=\(secret); __Host-eyot=x"])
            #expect(try await rig.send(.get, "/panel/me", by: &twice).status == .seeOther)
        }
    }

    @Test func `A link is used up by its form and not by looking at it`() async throws {
        try await AccessRig.run { rig in
            let link = "/panel/link/" + (try await rig.link("ana"))
            var browser = AccessRig.Browser()
            for _ in 0..<2 {
                let page = try await rig.send(.get, link, by: &browser)
                #expect(page.status == .ok)
                #expect(page.text.contains("Welcome, ana"))
            }
            let fields = ["password": AccessRig.password, "again": AccessRig.password]
            let different = try await rig.send(
                .post, link, ["password": AccessRig.password, "again": "something else"], by: &browser)
            #expect(different.status == .unprocessableContent)
            #expect(try await rig.send(.post, link, fields, by: &browser).status == .seeOther)
            #expect(try await rig.send(.get, "/panel/me", by: &browser).status == .ok)
            var thief = AccessRig.Browser()
            #expect(try await rig.send(.get, link, by: &thief).status == .notFound)
            #expect(try await rig.send(.post, link, fields, by: &thief).status == .notFound)
            #expect(thief.cookies.isEmpty)
        }
    }

    @Test func `An open page keeps no session alive`() async throws {
        try await AccessRig.run { rig in
            try await rig.add("ana", .viewer, in: "match")
            var browser = try await rig.signIn("ana")
            for _ in 0..<13 {
                rig.clock.advance(3_600)
                _ = try await rig.send(.get, "/panel/live?topic=none", by: &browser)
            }
            #expect(try await rig.send(.get, "/panel/me", by: &browser).status == .seeOther)
        }
    }

    @Test func `A member without a role signs in, sees that, and signs out`() async throws {
        try await AccessRig.run { rig in
            try await rig.add("ana", .viewer, in: "match")
            var browser = try await rig.signIn("ana")
            let member = try #require(try await rig.store.read { try $0.member(named: "ana") })
            try await rig.store.write { ledger in
                for grant in try ledger.grants(of: member.id) { try ledger.removeGrant(grant.key) }
            }
            let page = try await rig.send(.get, "/panel", by: &browser)
            #expect(page.text.contains("You have no role in any app"))
            let token = try await rig.token(&browser, on: "/panel")
            try await rig.send(.post, "/panel/sign-out", ["token": token], by: &browser)
            #expect(browser.cookies.isEmpty)
        }
    }
}
