import EyotCommands
import EyotDomain
import HTTPTypes
import Testing

@testable import EyotPanel

@Suite("The page of members", .timeLimit(.minutes(10)))
struct MembersPageTests {
    private static let path = "/panel/members"

    @Test func `An administrator adds a member, whose link is shown once and works`() async throws {
        try await AccessRig.run { rig in
            try await rig.add("ana", .admin, in: "match")
            var ana = try await rig.signIn("ana")
            let token = try await rig.token(&ana, on: Self.path)
            let made = try await rig.send(
                .post, Self.path + "/add", ["token": token, "name": "Bob", "role": "operator"], by: &ana)
            #expect(made.status == .ok)
            let start = try #require(made.text.range(of: "/panel/link/"))
            let secret = String(made.text[start.upperBound...].prefix { $0 != "<" })
            #expect(try await !rig.send(.get, Self.path, by: &ana).text.contains(secret))
            var bob = AccessRig.Browser()
            try await rig.send(
                .post, "/panel/link/" + secret, ["password": AccessRig.password, "again": AccessRig.password],
                by: &bob)
            #expect(try await rig.send(.get, "/panel", by: &bob).text.contains("bob · operator"))
            let app = try await rig.app()
            let entries = try await rig.store.read { try $0.auditEntries(of: app.id, before: nil, limit: 9) }
            #expect(entries.contains { $0.hint == "ana" && $0.subject.hasPrefix("grant=operator member=bob") })
        }
    }

    @Test func `A link is worth nothing once its member may do more`() async throws {
        try await AccessRig.run { rig in
            let link = try await rig.link("bob", .viewer, in: "match")
            let (app, now) = (try await rig.app(), rig.clock.now)
            try await rig.store.write { ledger in
                _ = try MemberAdmin(Transaction(ledger, at: now)).add(
                    "bob", .init(.admin, for: app), hash: Keyring.make(.apiKey).hash, by: .command("test"))
            }
            var eve = AccessRig.Browser()
            let answer = try await rig.send(
                .post, "/panel/link/" + link, ["password": AccessRig.password, "again": AccessRig.password], by: &eve)
            #expect(answer.status != .seeOther && eve.cookies.isEmpty)
        }
    }

    @Test(
        "A browser that names its origin alone may sign in from the panel's own page",
        arguments: [("http://localhost", true), ("http://elsewhere.example", false), ("null", false)])
    func origin(_ origin: String, isOwn: Bool) async throws {
        try await AccessRig.run { rig in
            try await rig.add("ana", .admin, in: "match")
            var browser = AccessRig.Browser()
            (browser.site, browser.headers) = (nil, ["Origin": origin])
            let answer = try await rig.send(
                .post, "/panel/sign-in", ["name": "ana", "password": AccessRig.password], by: &browser)
            #expect((answer.status == .seeOther) == isOwn, "\(answer.status)")
        }
    }

    @Test(
        "After the sign-in the browser stays in the panel",
        arguments: ["/panel/../evil", "/panel/%2e%2E/evil", "//evil.example", "/panelled"])
    func target(_ text: String) { #expect(SignInRoutes.target(text) == "/panel") }

    @Test(
        "Roles that do not administrate see no members and change none",
        arguments: [PanelRole.viewer, .support, .operator])
    func others(_ role: PanelRole) async throws {
        try await AccessRig.run { rig in
            try await rig.add("vera", role, in: "match", production: true)
            var vera = try await rig.signIn("vera")
            #expect(try await rig.send(.get, Self.path, by: &vera).status == .forbidden)
            let token = try await rig.token(&vera)
            let answer = try await rig.send(
                .post, Self.path + "/add", ["token": token, "name": "eve", "role": "admin"], by: &vera)
            #expect(answer.status == .forbidden)
            #expect(try await rig.store.read { try $0.member(named: "eve") } == nil)
        }
    }

    @Test func `An administrator makes no owner, reaches no other app, and sees no members of the server`() async throws
    {
        try await AccessRig.run { rig in
            try await rig.add("boss")
            try await rig.add("oscar", .viewer, in: "other")
            try await rig.add("ana", .admin, in: "match", production: true)
            var ana = try await rig.signIn("ana")
            let token = try await rig.token(&ana, on: Self.path)
            let page = try await rig.send(.get, Self.path, by: &ana).text
            #expect(!page.contains("boss") && !page.contains("oscar") && !page.contains("All members"))
            func post(_ path: String, _ fields: [String: String]) async throws -> HTTPResponse.Status {
                try await rig.send(
                    .post, Self.path + path, fields.merging(["token": token]) { $1 }, by: &ana
                ).status
            }
            #expect(try await post("/add", ["name": "eve", "role": "owner"]) == .forbidden)
            #expect(try await post("/add?app=org.example.other", ["name": "eve", "role": "viewer"]) == .forbidden)
            for measure in Members.Measure.allCases {
                let status = try await post("/\(measure.rawValue)", ["name": "boss", "typed": "boss"])
                #expect(status == .forbidden, "\(measure)")
            }
            #expect(try await post("/link", ["name": "oscar"]) == .forbidden)
            #expect(try await rig.store.read { try $0.member(named: "boss") } != nil)
        }
    }

    @Test func `An owner sees all members, and removes one whose name is typed`() async throws {
        try await AccessRig.run { rig in
            try await rig.add("boss")
            try await rig.add("oscar", .viewer, in: "other")
            var oscar = try await rig.signIn("oscar")
            var boss = try await rig.signIn("boss")
            let token = try await rig.token(&boss, on: Self.path)
            #expect(try await rig.send(.get, Self.path, by: &boss).text.contains("oscar"))
            for (typed, isGone) in [("osca", false), ("oscar", true)] {
                try await rig.send(
                    .post, Self.path + "/remove", ["token": token, "name": "oscar", "typed": typed], by: &boss)
                #expect(try await rig.store.read { try $0.member(named: "oscar") == nil } == isGone)
            }
            #expect(try await rig.send(.get, "/panel", by: &oscar).status == .seeOther)
        }
    }

    @Test func `An administrator gives no role to a member that others manage`() async throws {
        try await AccessRig.run { rig in
            try await rig.add("boss")
            try await rig.add("oscar", .viewer, in: "other")
            try await rig.add("ana", .admin, in: "match", production: true)
            try await rig.add("vera", .viewer, in: "match")
            var ana = try await rig.signIn("ana")
            let token = try await rig.token(&ana, on: Self.path)
            for (name, status) in [("boss", 403), ("oscar", 403), ("vera", 303)] {
                let answer = try await rig.send(
                    .post, Self.path + "/add", ["token": token, "name": name, "role": "operator"], by: &ana)
                #expect(answer.status.code == status, "\(name)")
            }
            let app = try await rig.app()
            let names = try await rig.store.read { ledger in
                try ledger.grants(for: app.id).compactMap { try ledger.member($0.member)?.name }
            }
            #expect(Set(names) == ["ana", "vera"])
        }
    }

    @Test func `An administrator sees no sign-in facts of a member that others manage`() async throws {
        try await AccessRig.run { rig in
            try await rig.add("oscar", .viewer, in: "other")
            try await rig.add("oscar", .viewer, in: "match")
            try await rig.add("ana", .admin, in: "match", production: true)
            _ = try await rig.signIn("oscar")
            var ana = try await rig.signIn("ana")
            let page = try await rig.send(.get, Self.path, by: &ana).text
            let row = try #require(page.split(separator: "<tr>").first { $0.contains("oscar") })
            #expect(!row.contains("password") && !row.contains("<time"))
        }
    }

    @Test(
        "A name with characters that cannot be seen, or with markup, is no name for a member",
        arguments: ["ana\u{200B}", "ana\u{202E}", "<b>ana</b>", "ana\u{00AD}", "ana/../eve", ""])
    func names(_ name: String) async throws {
        try await AccessRig.run { rig in
            await #expect(throws: MemberError.self) { try await rig.add(name, .viewer, in: "match") }
        }
    }

    @Test func `A name with letters of another script is marked`() async throws {
        try await AccessRig.run { rig in
            try await rig.add("boss")
            try await rig.add("\u{0430}na", .viewer, in: "match")
            var boss = try await rig.signIn("boss")
            #expect(try await rig.send(.get, Self.path, by: &boss).text.contains("letters beyond a to z"))
        }
    }

    @Test func `A name full of markup is text`() async throws {
        try await AccessRig.run { rig in
            try await rig.add("boss")
            let now = rig.clock.now
            _ = try await rig.store.write {
                try $0.insert(PanelMember(name: "<script>alert(1)</script>", createdAt: now))
            }
            var boss = try await rig.signIn("boss")
            let page = try await rig.send(.get, Self.path, by: &boss).text
            #expect(!page.contains("<script>alert"))
            #expect(page.contains("&lt;script&gt;alert(1)"))
        }
    }

    @Test func `A member changes its password, ends its other sessions, and turns a second factor on`() async throws {
        try await AccessRig.run { rig in
            try await rig.add("ana")
            var (here, there) = (try await rig.signIn("ana"), try await rig.signIn("ana"))
            let token = try await rig.token(&here)
            let page = try await rig.send(.get, "/panel/me", by: &here).text
            func between(_ start: String, _ end: Character) throws -> String {
                String(page[try #require(page.range(of: start)).upperBound...].prefix { $0 != end })
            }
            let sealed = try between(#"name="sealed" value=""#, "\"")
            let secret = Secret(try between(#"<code id="totp">"#, "<").replacing(" ", with: ""))
            let code = try #require(TOTPCode.code(secret, step: TOTPCode.step(at: rig.clock.now)))
            let set = try await rig.send(
                .post, "/panel/me/totp",
                ["token": token, "sealed": sealed, "code": code, "present": AccessRig.password], by: &here)
            #expect(set.status == .seeOther)
            #expect(try await rig.send(.get, "/panel/me", by: &here).text.contains("asks for a code"))
            await #expect(throws: AccessRig.NotSignedIn.self) { _ = try await rig.signIn("ana") }
            try await rig.send(.post, "/panel/me/sessions", ["token": token], by: &here)
            #expect(try await rig.send(.get, "/panel/me", by: &there).status == .seeOther)
            #expect(try await rig.send(.get, "/panel/me", by: &here).status == .ok)
        }
    }
}
