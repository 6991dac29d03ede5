import EyotCommands
import EyotDomain
import HTTPTypes
import Testing

@testable import EyotPanel

/// An administrator of one app who makes links for members, and what they are worth once a member may do more.
@Suite("Passwords, sessions and second factors that others left", .timeLimit(.minutes(10)))
struct PlantedProofTests {
    private static let path = "/panel/members"

    /// The secret of the link that a page shows.
    private static func link(on page: String) throws -> String {
        let start = try present(page.range(of: "/panel/link/"))
        return String(page[start.upperBound...].prefix { $0 != "<" })
    }

    private static func post(
        _ path: String, _ fields: [String: String], by browser: inout AccessRig.Browser, _ rig: AccessRig
    ) async throws -> (status: HTTPResponse.Status, text: String) {
        let token = try await rig.token(&browser, on: Self.path)
        let answer = try await rig.send(.post, path, fields.merging(["token": token]) { $1 }, by: &browser)
        return (answer.status, answer.text)
    }

    /// Uses a link up in a new browser.
    private static func accept(
        _ secret: String, _ rig: AccessRig, choosing password: String = AccessRig.password
    ) async throws -> AccessRig.Browser {
        var browser = AccessRig.Browser()
        let answer = try await rig.send(
            .post, "/panel/link/" + secret, ["password": password, "again": password], by: &browser)
        guard answer.status == .seeOther else {
            throw AccessRig.NotSignedIn(status: answer.status, text: answer.text)
        }
        return browser
    }

    /// The administrator of `match` adds a viewer and opens the viewer's link itself.
    private static func plant(_ name: String, _ rig: AccessRig) async throws -> AccessRig.Browser {
        try await rig.add("boss")
        try await rig.add("eve", .admin, in: "match", production: true)
        var eve = try await rig.signIn("eve")
        let made = try await post(path + "/add", ["name": name, "role": "viewer"], by: &eve, rig)
        return try await accept(link(on: made.text), rig)
    }

    /// What an owner may do next with the member, as form fields and the page's query.
    private static let growths: [(String, String, [String: String])] = [
        ("another app", "?app=org.example.other", ["role": "admin", "production": "on"]),
        ("ownership", "?app=org.example.match", ["role": "owner"]),
    ]

    @Test("A planted session and password open nothing that an owner gives later", arguments: growths.map(\.0))
    func grows(_ kind: String) async throws {
        let growth = try present(Self.growths.first { $0.0 == kind })
        try await AccessRig.run { rig in
            var planted = try await Self.plant("ceo@x.org", rig)
            #expect(try await rig.send(.get, "/panel", by: &planted).status == .ok)
            var boss = try await rig.signIn("boss")
            let granted = try await Self.post(
                Self.path + "/add" + growth.1, growth.2.merging(["name": "ceo@x.org"]) { $1 }, by: &boss, rig)
            #expect(granted.status == .ok && granted.text.contains("have ended"))
            #expect(try await rig.send(.get, "/panel", by: &planted).status == .seeOther)
            await #expect(throws: AccessRig.NotSignedIn.self) { _ = try await rig.signIn("ceo@x.org") }
            // The owner hands the new link over, and its password opens what was given.
            var ceo = try await Self.accept(
                Self.link(on: granted.text), rig, choosing: "another long password")
            #expect(try await rig.send(.get, "/panel", by: &ceo).status == .ok)
            await #expect(throws: AccessRig.NotSignedIn.self) { _ = try await rig.signIn("ceo@x.org") }
        }
    }

    @Test func `A planted second factor ends too, so the new link asks for no code`() async throws {
        try await AccessRig.run { rig in
            var planted = try await Self.plant("ceo@x.org", rig)
            let page = try await rig.send(.get, "/panel/me", by: &planted).text
            func between(_ start: String, _ end: Character) throws -> String {
                String(page[try present(page.range(of: start)).upperBound...].prefix { $0 != end })
            }
            let secret = Secret(try between(#"<code id="totp">"#, "<").replacing(" ", with: ""))
            let code = try present(TOTPCode.code(secret, step: TOTPCode.step(at: rig.clock.now)))
            let set = try await rig.send(
                .post, "/panel/me/totp",
                [
                    "token": try await rig.token(&planted), "sealed": try between(#"name="sealed" value=""#, "\""),
                    "code": code, "present": AccessRig.password,
                ], by: &planted)
            #expect(set.status == .seeOther)
            var boss = try await rig.signIn("boss")
            let granted = try await Self.post(
                Self.path + "/add?app=org.example.other", ["name": "ceo@x.org", "role": "viewer"], by: &boss, rig)
            _ = try await Self.accept(Self.link(on: granted.text), rig)
        }
    }

    @Test func `A role that was taken and one that comes elsewhere leave nothing of the first administrator`()
        async throws
    {
        try await AccessRig.run { rig in
            var planted = try await Self.plant("ceo@x.org", rig)
            var boss = try await rig.signIn("boss")
            let taken = try await Self.post(
                Self.path + "/take?app=org.example.match", ["name": "ceo@x.org"], by: &boss, rig)
            #expect(taken.status == .seeOther)
            let granted = try await Self.post(
                Self.path + "/add?app=org.example.other", ["name": "ceo@x.org", "role": "operator"], by: &boss, rig)
            #expect(granted.text.contains("/panel/link/"))
            #expect(try await rig.send(.get, "/panel", by: &planted).status == .seeOther)
        }
    }

    @Test func `A role that the same administrators could give leaves the member signed in`() async throws {
        try await AccessRig.run { rig in
            var ben = try await Self.plant("ben", rig)
            var boss = try await rig.signIn("boss")
            let granted = try await Self.post(
                Self.path + "/add?app=org.example.match", ["name": "ben", "role": "operator"], by: &boss, rig)
            #expect(granted.status == .seeOther)
            #expect(try await rig.send(.get, "/panel", by: &ben).text.contains("ben · operator"))
        }
    }

    @Test func `A change that was under way with a planted session is refused`() async throws {
        try await AccessRig.run { rig in
            var planted = try await Self.plant("ceo@x.org", rig)
            let secret = try present(planted.cookies["__Host-eyot"])
            let proven = try present(await rig.members.member(provenBy: secret))
            var boss = try await rig.signIn("boss")
            _ = try await Self.post(
                Self.path + "/add", ["name": "ceo@x.org", "role": "owner"], by: &boss, rig)
            await #expect(throws: MemberError.signInRefused) {
                _ = try await rig.members.add(
                    "eve2", .init(.owner, for: nil), by: proven, from: SignInOrigin())
            }
            await #expect(throws: MemberError.self) {
                try await rig.members.setPassword(
                    Secret("another long password"), insteadOf: nil, of: proven, from: SignInOrigin())
            }
            #expect(try await rig.send(.get, "/panel", by: &planted).status == .seeOther)
        }
    }
}
