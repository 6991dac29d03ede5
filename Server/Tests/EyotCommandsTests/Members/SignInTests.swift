import EyotCommands
import EyotDomain
import EyotTestKit
import Testing

/// The sign-in by password, as an attacker sees it.
@Suite("Sign-in by password", .timeLimit(.minutes(10)))
struct SignInTests {
    private let rig = MemberRig()

    @Test func `A right password begins a session, and the name's case does not matter`() async throws {
        _ = try await rig.ready("ana@example.org")
        let session = try await rig.signIn(" Ana@Example.org ")
        let proven = try await rig.proven(session)
        #expect(proven.member.name == "ana@example.org")
        #expect(proven.isOwner)
        #expect(proven.session.browser == "Test")
    }

    @Test func `A refusal says the same, and costs the same, whatever was wrong`() async throws {
        let app = try await rig.app("match")
        let ana = try await rig.ready("ana")
        _ = try await rig.ready("bob", in: app)
        try await rig.write { try MemberAdmin($0).setDisabled(true, "bob", by: .command("test")) }
        try await rig.add("new", in: app)
        let totp = try rig.members.newTOTP(for: ana)
        let code = try #require(TOTPCode.code(totp.secret, step: TOTPCode.step(at: rig.clock.now)))
        try await rig.members.setTOTP(
            totp.sealed, code: code, password: MemberRig.password, of: ana, from: SignInOrigin())
        let cases: [(name: String, password: Secret, code: String?)] = [
            ("nobody", MemberRig.password, nil), ("ana", Secret("wrong password"), nil),
            ("ana", MemberRig.password, nil), ("ana", MemberRig.password, "000000"), ("ana", MemberRig.password, code),
            ("bob", MemberRig.password, nil), ("new", MemberRig.password, nil),
        ]
        for (index, one) in cases.enumerated() {
            let before = rig.members.hasher.runs
            let error = try await rig.refusal {
                _ = try await rig.signIn(one.name, one.password, code: one.code, from: "203.0.113.\(index)")
            }
            #expect(error == .signInRefused, "\(one)")
            #expect(rig.members.hasher.runs == before + 1, "\(one)")
        }
    }

    @Test func `Failures make the next try wait, twice as long each time and never beyond a limit`() async throws {
        _ = try await rig.ready("ana")
        var waits: [Double] = []
        for _ in 0..<16 {
            let error = try await rig.refusal {
                _ = try await rig.signIn("ana", Secret("wrong password"), from: "203.0.113.1")
            }
            if let wait = error?.wait {
                waits.append(wait)
                rig.clock.advance(wait)
                let runs = rig.members.hasher.runs
                _ = try await rig.refusal {
                    _ = try await rig.signIn("ana", Secret("wrong password"), from: "203.0.113.1")
                }
                #expect(rig.members.hasher.runs == runs + 1)
            }
        }
        #expect(waits.prefix(4) == [2, 4, 8, 16])
        #expect(waits.last == SignInLimits.longestWait)
        // The member itself, elsewhere, does not have to wait.
        _ = try await rig.signIn("ana", from: "198.51.100.7")
        #expect(try await rig.refusal { _ = try await rig.signIn("ana", from: "203.0.113.1") }?.code == .tooManyTries)
    }

    @Test func `Guesses from many networks do not keep a member out of where it was before`() async throws {
        _ = try await rig.ready("ana")
        _ = try await rig.signIn("ana", from: "198.51.100.7")
        for index in 0..<SignInLimits.failuresPerHour {
            _ = try await rig.refusal {
                _ = try await rig.signIn("ana", Secret("wrong password"), from: "203.0.\(index).1")
            }
        }
        let elsewhere = try await rig.refusal { _ = try await rig.signIn("ana", from: "192.0.2.9") }
        #expect(elsewhere?.code == .tooManyTries)
        _ = try await rig.signIn("ana", from: "198.51.100.7")
    }

    @Test func `The networks that signed a member in are known after a restart`() async throws {
        _ = try await rig.ready("ana")
        _ = try await rig.signIn("ana", from: "198.51.100.7")
        let restarted = Members(
            store: rig.store, clock: rig.clock, sealer: rig.sealer, hasher: PasswordHasher(cost: MemberRig.cheap))
        func signIn(_ password: Secret = MemberRig.password, from network: String) async throws {
            let origin = SignInOrigin(address: network, network: network)
            _ = try await restarted.signIn(.init(name: "ana", password: password), from: origin)
        }
        for index in 0..<SignInLimits.failuresPerHour {
            _ = try await rig.refusal { try await signIn(Secret("wrong password"), from: "203.0.\(index).1") }
        }
        #expect(try await rig.refusal { try await signIn(from: "192.0.2.9") }?.code == .tooManyTries)
        try await signIn(from: "198.51.100.7")
    }

    @Test func `Guesses at a password do not keep a member out that a provider, a proxy or a link proves`() async throws
    {
        let app = try await rig.app("match")
        _ = try await rig.ready("ana", .viewer, in: app)
        for index in 0..<SignInLimits.failuresPerHour {
            _ = try await rig.refusal {
                _ = try await rig.signIn("ana", Secret("wrong password"), from: "203.0.\(index).1")
            }
        }
        let strange = SignInOrigin(address: "192.0.2.9", network: "192.0.2.9")
        #expect(try await rig.refusal { _ = try await rig.signIn("ana", from: "192.0.2.9") }?.code == .tooManyTries)
        _ = try await rig.members.accept(link: rig.link("ana"), password: MemberRig.password, from: strange)
        let account = ProviderAccount(issuer: "https://id.example.org", subject: "s1")
        _ = try await rig.members.signIn(
            as: ProviderIdentity(account: account, email: "ana"), createsMembers: false, from: strange)
        _ = try await rig.members.signIn(byProxyAs: "ana", from: strange)
    }

    @Test func `One network has a number of tries in a minute, whatever names it tries`() async throws {
        var codes: [MemberError.Code?] = []
        for index in 0...SignInLimits.triesPerMinute {
            codes.append(
                try await rig.refusal { _ = try await rig.signIn("n\(index)", from: "203.0.113.1") }?.code)
        }
        #expect(codes.dropLast().allSatisfy { $0 == .signInRefused })
        #expect(codes.last == .tooManyTries)
    }

    @Test func `Refused tries are recorded, and the record holds neither names nor passwords`() async throws {
        _ = try await rig.refusal { _ = try await rig.signIn("my-secret-phrase", from: "203.0.113.1") }
        let entry = try #require(rig.refusals.entries.last)
        #expect(entry.status == 401)
        #expect(entry.address == "203.0.113.1")
        #expect(!"\(entry)".contains("my-secret-phrase"))
        #expect(!"\(entry)".contains(MemberRig.password.text))
    }

    @Test func `What is in the store opens nothing`() async throws {
        let proven = try await rig.ready("ana")
        let session = try await rig.signIn("ana")
        let stored = try await rig.store.read { ledger in
            "\(try ledger.members(after: "", limit: 9)) \(try ledger.sessions(of: proven.member.id))"
        }
        #expect(!stored.contains(MemberRig.password.text))
        #expect(!stored.contains(session.secret.text))
        #expect(try await !"\(rig.audit())".contains(session.secret.text))
    }

    @Test func `A hash at another cost is made anew with the next sign-in`() async throws {
        _ = try await rig.ready("ana")
        let dearer = PasswordCost(logRounds: 2, blockSize: 1, parallelism: 1)
        let members = Members(
            store: rig.store, clock: rig.clock, sealer: rig.sealer, hasher: PasswordHasher(cost: dearer))
        _ = try await members.signIn(.init(name: "ana", password: MemberRig.password), from: SignInOrigin())
        #expect(try await rig.store.read { try $0.member(named: "ana")?.password?.cost } == dearer)
        _ = try await members.signIn(.init(name: "ana", password: MemberRig.password), from: SignInOrigin())
    }
}
