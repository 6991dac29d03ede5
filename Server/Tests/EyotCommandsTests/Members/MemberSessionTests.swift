import EyotCommands
import EyotDomain
import EyotTestKit
import Testing

/// The life of a session, as a thief of its secret sees it.
@Suite("Members' sessions", .timeLimit(.minutes(10)))
struct MemberSessionTests {
    private let rig = MemberRig()

    @Test func `A secret that was stolen opens nothing after the sign-out`() async throws {
        let ana = try await rig.ready("ana")
        let session = try await rig.signIn("ana")
        let proven = try await rig.proven(session)
        #expect(proven.csrf != ana.csrf)
        try await rig.members.signOut(proven, from: SignInOrigin())
        #expect(try await rig.members.member(provenBy: session.secret.text) == nil)
    }

    @Test func `A session that a browser had before the sign-in ends with it`() async throws {
        _ = try await rig.ready("eve")
        _ = try await rig.ready("ana")
        let planted = try await rig.signIn("eve")
        let new = try await rig.members.signIn(
            .init(name: "ana", password: MemberRig.password), from: SignInOrigin(former: planted.secret.text))
        #expect(new.secret.text != planted.secret.text)
        #expect(try await rig.members.member(provenBy: planted.secret.text) == nil)
    }

    @Test(
        "A text that no sign-in made opens nothing",
        arguments: ["", "eyot_ss_", "eyot_ss_\(String(repeating: "A", count: 43))"])
    func made(_ text: String) async throws {
        _ = try await rig.ready("ana")
        #expect(try await rig.members.member(provenBy: text) == nil)
    }

    @Test func `A session ends when it is idle, and after a week in any case`() async throws {
        _ = try await rig.ready("ana")
        let session = try await rig.signIn("ana")
        rig.clock.advance(MemberSession.idle - 1)
        _ = try await rig.proven(session)
        rig.clock.advance(MemberSession.idle)
        #expect(try await rig.members.member(provenBy: session.secret.text) == nil)
        let busy = try await rig.signIn("ana")
        let end = rig.clock.now + MemberSession.longest
        while rig.clock.now + 3_600 < end {
            rig.clock.advance(3_600)
            _ = try await rig.proven(busy)
        }
        rig.clock.advance(3_600)
        #expect(try await rig.members.member(provenBy: busy.secret.text) == nil)
    }

    @Test(
        "A browser is named as a person knows it, and what is unknown is cut",
        arguments: [
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Version/18.1 Mobile/15E148 Safari/604.1",
                "Safari on iPhone"
            ),
            ("Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36", "Chrome on Linux"),
            ("Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"),
            ("curl/8.1\u{1B}[31m", "curl/8.1[31m"), ("", nil), (nil, nil),
            (String(repeating: "x", count: 500), String(repeating: "x", count: BrowserName.bytes)),
        ] as [(String?, String?)])
    func browser(_ text: String?, _ name: String?) { #expect(BrowserName.of(text) == name) }

    @Test func `A use is written once a minute`() async throws {
        _ = try await rig.ready("ana")
        let session = try await rig.signIn("ana")
        rig.clock.advance(59)
        #expect(try await rig.proven(session).session.usedAt == session.session.usedAt)
        _ = try await rig.proven(session)
        rig.clock.advance(1)
        _ = try await rig.proven(session)
        #expect(try await rig.proven(session).session.usedAt == rig.clock.now)
    }

    @Test func `A member has a number of sessions, and the oldest ends beyond it`() async throws {
        let ana = try await rig.ready("ana")
        let first = try await rig.signIn("ana")
        for _ in 0..<MemberSession.limit {
            rig.clock.advance(3)
            _ = try await rig.signIn("ana")
        }
        #expect(try await rig.members.sessions(of: ana).count == MemberSession.limit)
        #expect(try await rig.members.member(provenBy: first.secret.text) == nil)
    }

    @Test func `A member ends its other sessions, and no other member's`() async throws {
        let (ana, bob) = (try await rig.ready("ana"), try await rig.ready("bob"))
        let other = try await rig.signIn("ana")
        try await rig.members.end(other.session.id, of: bob, from: SignInOrigin())
        _ = try await rig.proven(other)
        try await rig.members.end(nil, of: ana, from: SignInOrigin())
        #expect(try await rig.members.member(provenBy: other.secret.text) == nil)
        #expect(try await rig.members.sessions(of: ana).map(\.id) == [ana.session.id])
        #expect(try await rig.members.sessions(of: bob).count == 1)
    }

    @Test("An administrator's sign-out, a disabled and a removed member end all sessions", arguments: 0...2)
    func ends(_ how: Int) async throws {
        _ = try await rig.ready("ana")
        let session = try await rig.signIn("ana")
        try await rig.write { transaction in
            let admin = MemberAdmin(transaction)
            switch how {
            case 0: try admin.signOut("ana", by: .command("test"))
            case 1: try admin.setDisabled(true, "ana", by: .command("test"))
            default: try admin.remove("ana", by: .command("test"))
            }
        }
        #expect(try await rig.members.member(provenBy: session.secret.text) == nil)
    }

    @Test func `A new password needs the present one, and ends all other sessions`() async throws {
        let ana = try await rig.ready("ana")
        let other = try await rig.signIn("ana")
        let next = Secret("another long password")
        let refused = try await rig.refusal {
            try await rig.members.setPassword(next, insteadOf: Secret("wrong password"), of: ana, from: SignInOrigin())
        }
        #expect(refused == .signInRefused)
        _ = try await rig.proven(other)
        try await rig.members.setPassword(next, insteadOf: MemberRig.password, of: ana, from: SignInOrigin())
        #expect(try await rig.members.member(provenBy: other.secret.text) == nil)
        _ = try await rig.signIn("ana", next)
        #expect(try await rig.refusal { _ = try await rig.signIn("ana") } == .signInRefused)
    }

    @Test func `Sign-ins, changes and sign-outs are in the audit log`() async throws {
        let ana = try await rig.ready("ana")
        try await rig.members.signOut(ana, from: SignInOrigin(address: "203.0.113.7"))
        let subjects = try await rig.audit().map { "\($0.hint) \($0.subject)" }
        #expect(
            subjects == [
                "ana member=ana signedOut=1", "ana member=ana by=link", "database member=ana link=password",
                "database grant=owner member=ana reach=production key=1", "database member=ana added",
            ])
        #expect(try await rig.audit().first?.address == "203.0.113.7")
    }

    @Test func `Ended sessions and expired links are removed`() async throws {
        let ana = try await rig.ready("ana")
        _ = try await rig.link("ana")
        rig.clock.advance(MemberSession.longest + MemberLink.longest)
        let now = rig.clock.now
        let removed = try await rig.store.write { try $0.removeEndedSessions(before: now, limit: 9) }
        #expect(removed == 2)
        #expect(try await rig.store.read { try $0.sessions(of: ana.member.id) } == [])
    }
}
