import EyotCommands
import EyotDomain
import Testing

@Suite("Codes by time")
struct TOTPTests {
    /// `12345678901234567890` in base32, the secret of RFC 6238's examples.
    private static let secret = Secret("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")

    @Test(
        "The codes are those of RFC 6238, appendix B, in six digits",
        arguments: [
            (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
            (2_000_000_000, "279037"), (20_000_000_000, "353130"),
        ])
    func vectors(_ second: Int, _ code: String) {
        #expect(TOTPCode.code(Self.secret, step: TOTPCode.step(at: Instant(second: second))) == code)
    }

    @Test("A code is good for its step, the one before and the one after", arguments: -3...3)
    func window(_ steps: Int) throws {
        let now = Instant(second: 1_671_375_600)
        let code = try #require(TOTPCode.code(Self.secret, step: TOTPCode.step(at: now) + Int64(steps)))
        let accepted = TOTPCode.acceptedStep(code, of: Self.secret, after: 0, at: now)
        #expect((accepted != nil) == (abs(steps) <= 1))
    }

    @Test("Another text is no code", arguments: ["", "12345", "1234567", "abcdef", "२८७०८२"])
    func noCode(_ text: String) {
        #expect(TOTPCode.acceptedStep(text, of: Self.secret, after: 0, at: Instant(second: 59)) == nil)
    }

    @Test func `A new secret has 160 bits and is another each time`() throws {
        let (one, two) = (TOTPCode.newSecret(), TOTPCode.newSecret())
        #expect(one.text.utf8.count == 32)
        #expect(one.text != two.text)
        #expect(TOTPCode.address(one, of: "ana@example.org").hasPrefix("otpauth://totp/Eyot:ana%40example%2Eorg?"))
    }

    @Test func `A code is accepted once, and the second factor cannot be left out`() async throws {
        let rig = MemberRig()
        let ana = try await rig.ready("ana")
        let totp = try rig.members.newTOTP(for: ana)
        func code() throws -> String {
            try #require(TOTPCode.code(totp.secret, step: TOTPCode.step(at: rig.clock.now)))
        }
        let wrong = try await rig.refusal {
            try await rig.members.setTOTP(
                totp.sealed, code: "000000", password: MemberRig.password, of: ana, from: SignInOrigin())
        }
        #expect(wrong?.field == "code")
        try await rig.members.setTOTP(
            totp.sealed, code: code(), password: MemberRig.password, of: ana, from: SignInOrigin())
        rig.clock.advance(60)
        let first = try code()
        _ = try await rig.signIn("ana", code: first)
        #expect(try await rig.refusal { _ = try await rig.signIn("ana", code: first) } == .signInRefused)
        rig.clock.advance(30)
        _ = try await rig.signIn("ana", code: code())
        #expect(try await rig.refusal { _ = try await rig.signIn("ana") } == .signInRefused)
        let stored = try #require(try await rig.store.read { try $0.member(named: "ana") }?.totp)
        #expect(!String(decoding: stored.sealed.box, as: UTF8.self).contains(totp.secret.text))
    }

    @Test func `Another member's sealed secret cannot be set`() async throws {
        let rig = MemberRig()
        let (ana, bob) = (try await rig.ready("ana"), try await rig.ready("bob"))
        let totp = try rig.members.newTOTP(for: ana)
        let code = try #require(TOTPCode.code(totp.secret, step: TOTPCode.step(at: rig.clock.now)))
        let error = try await rig.refusal {
            try await rig.members.setTOTP(
                totp.sealed, code: code, password: MemberRig.password, of: bob, from: SignInOrigin())
        }
        #expect(error?.field == "code")
    }
}
