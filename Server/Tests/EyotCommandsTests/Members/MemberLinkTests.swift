import EyotCommands
import EyotDomain
import EyotTestKit
import Testing

@Suite("Links that work once", .timeLimit(.minutes(10)))
struct MemberLinkTests {
    private let rig = MemberRig()

    @Test func `Looking at a link changes nothing, and its use cannot be repeated`() async throws {
        try await rig.add("ana")
        let link = try await rig.link("ana")
        for _ in 0..<3 {
            #expect(try await rig.members.view(ofLink: link)?.name == "ana")
        }
        let first = try await rig.members.accept(link: link, password: MemberRig.password, from: SignInOrigin())
        _ = try await rig.proven(first)
        #expect(try await rig.members.view(ofLink: link) == nil)
        let again = try await rig.refusal {
            _ = try await rig.members.accept(link: link, password: Secret("another long one"), from: SignInOrigin())
        }
        #expect(again == .linkUnknown)
        _ = try await rig.signIn("ana")
    }

    @Test func `Of two uses at once one counts`() async throws {
        try await rig.add("ana")
        let link = try await rig.link("ana")
        let members = rig.members
        let used = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<8 {
                group.addTask {
                    let origin = SignInOrigin(network: "203.0.113.\(index)")
                    let session = try? await members.accept(link: link, password: MemberRig.password, from: origin)
                    return session != nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(used == 1)
    }

    @Test func `A password that is too short does not use the link up`() async throws {
        try await rig.add("ana")
        let link = try await rig.link("ana")
        let short = try await rig.refusal {
            _ = try await rig.members.accept(link: link, password: Secret("short"), from: SignInOrigin())
        }
        #expect(short?.field == "password")
        let none = try await rig.refusal {
            _ = try await rig.members.accept(link: link, password: nil, from: SignInOrigin())
        }
        #expect(none?.field == "password")
        _ = try await rig.members.accept(link: link, password: MemberRig.password, from: SignInOrigin())
    }

    @Test func `A link expires within a day, and a new one replaces it`() async throws {
        try await rig.add("ana")
        let first = try await rig.link("ana")
        let second = try await rig.link("ana")
        #expect(try await rig.members.view(ofLink: first) == nil)
        rig.clock.advance(MemberLink.longest - 1)
        #expect(try await rig.members.view(ofLink: second) != nil)
        rig.clock.advance(1)
        #expect(try await rig.members.view(ofLink: second) == nil)
        let late = try await rig.refusal {
            _ = try await rig.members.accept(link: second, password: MemberRig.password, from: SignInOrigin())
        }
        #expect(late == .linkUnknown)
    }

    @Test func `A link for a password ends the member's sessions and asks for the second factor`() async throws {
        let ana = try await rig.ready("ana")
        let session = try await rig.signIn("ana")
        let totp = try rig.members.newTOTP(for: ana)
        func code() throws -> String {
            try #require(TOTPCode.code(totp.secret, step: TOTPCode.step(at: rig.clock.now)))
        }
        try await rig.members.setTOTP(
            totp.sealed, code: code(), password: MemberRig.password, of: ana, from: SignInOrigin())
        let link = try await rig.link("ana")
        #expect(try await rig.members.view(ofLink: link)?.needsCode == true)
        let refused = try await rig.refusal {
            _ = try await rig.members.accept(link: link, password: Secret("another long one"), from: SignInOrigin())
        }
        #expect(refused == .signInRefused)
        _ = try await rig.proven(session)
        rig.clock.advance(30)
        _ = try await rig.members.accept(
            link: link, password: Secret("another long one"), code: code(), from: SignInOrigin())
        #expect(try await rig.members.member(provenBy: session.secret.text) == nil)
    }

    @Test func `A link that only signs in sets no password`() async throws {
        try await rig.add("ana")
        let link = try await rig.link("ana", .signIn)
        _ = try await rig.members.accept(link: link, password: nil, from: SignInOrigin())
        #expect(try await rig.store.read { try $0.member(named: "ana")?.password } == nil)
        let other = try await rig.link("ana", .signIn)
        let refused = try await rig.refusal {
            _ = try await rig.members.accept(
                link: other + "x", password: MemberRig.password, from: SignInOrigin())
        }
        #expect(refused == .linkUnknown)
    }

    @Test func `A disabled member's link does nothing`() async throws {
        try await rig.add("ana")
        let link = try await rig.link("ana")
        try await rig.write { try MemberAdmin($0).setDisabled(true, "ana", by: .command("test")) }
        #expect(try await rig.members.view(ofLink: link) == nil)
    }
}
