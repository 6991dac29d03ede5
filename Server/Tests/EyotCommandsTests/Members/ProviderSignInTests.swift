import EyotCommands
import EyotDomain
import EyotTestKit
import Testing

@Suite("Sign-in by a provider or a proxy", .timeLimit(.minutes(10)))
struct ProviderSignInTests {
    private let rig = MemberRig()

    private func signIn(_ subject: String, _ email: String?, creates: Bool = false) async throws -> NewSession {
        try await rig.members.signIn(
            as: ProviderIdentity(
                account: ProviderAccount(issuer: "https://id.example.org", subject: subject), email: email),
            createsMembers: creates, from: SignInOrigin())
    }

    @Test func `A verified address finds the member once, and the account from then on`() async throws {
        try await rig.add("ana@example.org")
        _ = try await rig.proven(signIn("s1", "Ana@Example.org"))
        // The address may change hands at the provider.
        #expect(try await rig.refusal { _ = try await signIn("s2", "ana@example.org") } == .signInRefused)
        #expect(try await rig.proven(signIn("s1", nil)).member.name == "ana@example.org")
    }

    @Test func `An unknown person is refused, or becomes a member who may do nothing`() async throws {
        #expect(try await rig.refusal { _ = try await signIn("s1", "eve@example.org") } == .signInRefused)
        #expect(try await rig.refusal { _ = try await signIn("s1", nil, creates: true) } == .signInRefused)
        let eve = try await rig.proven(signIn("s1", "eve@example.org", creates: true))
        #expect(eve.grants.isEmpty)
    }

    @Test func `A password that was set before the first sign-in opens nothing any more`() async throws {
        let app = try await rig.app("match")
        _ = try await rig.ready("boss@example.org", in: app)
        let planted = try await rig.signIn("boss@example.org")
        _ = try await rig.proven(signIn("s1", "boss@example.org"))
        #expect(try await rig.refusal { _ = try await rig.signIn("boss@example.org") } == .signInRefused)
        #expect(try await rig.members.member(provenBy: planted.secret.text) == nil)
    }

    @Test func `A disabled member is refused by each way`() async throws {
        try await rig.add("ana@example.org")
        _ = try await signIn("s1", "ana@example.org")
        try await rig.write { try MemberAdmin($0).setDisabled(true, "ana@example.org", by: .command("test")) }
        #expect(try await rig.refusal { _ = try await signIn("s1", nil) } == .signInRefused)
        let byProxy = try await rig.refusal {
            _ = try await rig.members.signIn(byProxyAs: "ana@example.org", from: SignInOrigin())
        }
        #expect(byProxy == .signInRefused)
    }

    @Test func `A proxy signs in members that exist, and makes none`() async throws {
        try await rig.add("ana")
        let session = try await rig.members.signIn(byProxyAs: "ANA", from: SignInOrigin())
        #expect(try await rig.proven(session).session.method == .proxy)
        let unknown = try await rig.refusal {
            _ = try await rig.members.signIn(byProxyAs: "eve", from: SignInOrigin())
        }
        #expect(unknown == .signInRefused)
    }
}
