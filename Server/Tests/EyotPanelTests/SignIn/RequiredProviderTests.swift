import EyotCommands
import EyotDomain
import EyotIdentity
import Foundation
import HTTPConnections
import HTTPTypes
import Synchronization
import Testing

@testable import EyotPanel

/// Members with an account at a provider or a proxy, and servers that take no others.
@Suite("Accounts at a provider leave no password", .timeLimit(.minutes(10)))
struct RequiredProviderTests {
    private static let ana = "ana@example.org"

    private static func run(
        requires: Bool = false, _ test: @escaping @Sendable (AccessRig, LyingProvider) async throws -> Void
    ) async throws {
        let made = Mutex<LyingProvider?>(nil)
        var setup = AccessRig.Setup()
        setup.requiresAccount = requires
        setup.openID = { clock in
            let provider = LyingProvider(.init(), clock: clock)
            made.withLock { $0 = provider }
            return OpenIDProvider(
                OpenIDSettings(issuer: LyingProvider.issuer, clientID: "eyot"), client: provider,
                verifier: JWTVerifier(), clock: clock)
        }
        try await AccessRig.run(setup) { rig in try await test(rig, present(made.withLock { $0 })) }
    }

    /// Signs `ana@example.org` in at the provider.
    private static func signIn(_ rig: AccessRig, _ provider: LyingProvider) async throws -> AccessRig.Browser {
        var browser = AccessRig.Browser()
        let start = try await rig.send(.get, "/panel/oidc", by: &browser)
        let items = try present(URLComponents(string: present(start.headers[.location]))?.queryItems)
        func item(_ name: String) -> String { items.first { $0.name == name }?.value ?? "" }
        provider.authorize(nonce: item("nonce"))
        browser.site = "cross-site"
        let back = try await rig.send(.get, "/panel/oidc/callback?code=c1&state=\(item("state"))", by: &browser)
        #expect(back.status == .seeOther, "\(back.text)")
        browser.site = "same-origin"
        return browser
    }

    @Test func `A member of a provider sets no password and no second factor on its page`() async throws {
        try await Self.run { rig, provider in
            _ = try await rig.link(Self.ana, .viewer, in: "match")
            var ana = try await Self.signIn(rig, provider)
            let page = try await rig.send(.get, "/panel/me", by: &ana).text
            #expect(!page.contains("/panel/me/password") && page.contains("There is no password here"))
            let token = try await rig.token(&ana)
            let password = try await rig.send(
                .post, "/panel/me/password",
                ["token": token, "password": AccessRig.password, "again": AccessRig.password], by: &ana)
            #expect(password.status == .forbidden)
            let totp = try await rig.send(
                .post, "/panel/me/totp", ["token": token, "sealed": "k.00", "code": "123456"], by: &ana)
            #expect(totp.status == .forbidden)
            await #expect(throws: AccessRig.NotSignedIn.self) { _ = try await rig.signIn(Self.ana) }
            #expect(try await rig.store.read { try $0.member(named: Self.ana)?.password } == nil)
        }
    }

    @Test func `No administrator and no command makes a link for a password of such a member`() async throws {
        try await Self.run { rig, provider in
            try await rig.add("boss")
            try await rig.add("eve", .admin, in: "match", production: true)
            _ = try await rig.link(Self.ana, .viewer, in: "match")
            _ = try await Self.signIn(rig, provider)
            for name in ["eve", "boss"] {
                var browser = try await rig.signIn(name)
                let token = try await rig.token(&browser, on: "/panel/members")
                for totp in ["keep", "remove"] {
                    let answer = try await rig.send(
                        .post, "/panel/members/link", ["token": token, "name": Self.ana, "totp": totp], by: &browser)
                    #expect(answer.status == .forbidden, "\(name)")
                }
                let page = try await rig.send(.get, "/panel/members", by: &browser).text
                #expect(!page.contains("New link for \(Self.ana)"))
            }
            await #expect(throws: MemberError.self) { _ = try await rig.link(Self.ana, .viewer, in: "match") }
            // A role in another app needs no link either.
            var boss = try await rig.signIn("boss")
            let token = try await rig.token(&boss, on: "/panel/members")
            let granted = try await rig.send(
                .post, "/panel/members/add?app=org.example.other",
                ["token": token, "name": Self.ana, "role": "admin"], by: &boss)
            #expect(granted.status == .seeOther)
        }
    }

    @Test func `A password that an earlier version left beside an account opens nothing`() async throws {
        try await Self.run { rig, provider in
            try await rig.add(Self.ana, .viewer, in: "match")
            var planted = try await rig.signIn(Self.ana)
            try await rig.store.write { ledger in
                var member = try present(ledger.member(named: Self.ana))
                member.account = ProviderAccount(issuer: LyingProvider.issuer, subject: "s1")
                try ledger.update(member)
            }
            #expect(try await rig.send(.get, "/panel", by: &planted).status == .seeOther)
            await #expect(throws: AccessRig.NotSignedIn.self) { _ = try await rig.signIn(Self.ana) }
            _ = try await Self.signIn(rig, provider)
            #expect(try await rig.store.read { try $0.member(named: Self.ana)?.password } == nil)
        }
    }

    @Test func `An account at a provider that the operator has left is bound to the new one`() async throws {
        try await Self.run { rig, provider in
            _ = try await rig.link(Self.ana, .viewer, in: "match")
            try await rig.store.write { ledger in
                var member = try present(ledger.member(named: Self.ana))
                member.account = ProviderAccount(issuer: "https://former.example.org", subject: "s9")
                try ledger.update(member)
            }
            _ = try await Self.signIn(rig, provider)
            let account = try await rig.store.read { try $0.member(named: Self.ana)?.account }
            #expect(account == ProviderAccount(issuer: LyingProvider.issuer, subject: "s1"))
        }
    }

    @Test func `A member of a proxy has no password from the first sign-in on`() async throws {
        var setup = AccessRig.Setup()
        (setup.isEncrypted, setup.isLive, setup.proxyHeader) = (false, true, "X-Member")
        setup.proxies = TrustedProxies([try #require(AddressRange("127.0.0.0/8"))])
        try await AccessRig.run(setup) { rig in
            try await rig.add("ana")
            var ana = AccessRig.Browser(headers: ["X-Member": "ana", "X-Forwarded-Proto": "https"])
            try await rig.send(.get, "/panel/sign-in", by: &ana)
            let token = try await rig.token(&ana)
            let set = try await rig.send(
                .post, "/panel/me/password",
                ["token": token, "password": AccessRig.password, "again": AccessRig.password], by: &ana)
            #expect(set.status == .forbidden)
            let member = try await rig.store.read { try $0.member(named: "ana") }
            #expect(member?.account == .proxy("ana") && member?.password == nil)
            await #expect(throws: MemberError.signInRefused) {
                _ = try await rig.members.signIn(
                    .init(name: "ana", password: Secret(AccessRig.password)), from: SignInOrigin())
            }
        }
    }

    @Test func `Where a provider is required, passwords and their sessions and links count for nothing`() async throws {
        try await Self.run(requires: true) { rig, provider in
            // As they were before the setting.
            let free = Members(
                store: rig.store, clock: rig.clock, sealer: Sealer(MasterKey.make()),
                hasher: PasswordHasher(cost: PasswordCost(logRounds: 1, blockSize: 1, parallelism: 1)))
            let link = try await rig.link(Self.ana)
            let session = try await free.accept(
                link: link, password: Secret(AccessRig.password), from: SignInOrigin())
            var before = AccessRig.Browser(cookies: ["__Host-eyot": session.secret.text])
            #expect(try await rig.send(.get, "/panel", by: &before).status == .seeOther)
            let waiting = try await rig.link("bob", .viewer, in: "match")
            #expect(try await rig.send(.get, "/panel/link/" + waiting, by: &before).status == .notFound)
            await #expect(throws: AccessRig.NotSignedIn.self) { _ = try await rig.signIn(Self.ana) }
            var nobody = AccessRig.Browser()
            let page = try await rig.send(.get, "/panel/sign-in", by: &nobody).text
            #expect(!page.contains("type=\"password\"") && page.contains("/panel/oidc"))
            // The provider's account lets in, and a new member needs no link.
            var ana = try await Self.signIn(rig, provider)
            let token = try await rig.token(&ana, on: "/panel/members")
            let added = try await rig.send(
                .post, "/panel/members/add", ["token": token, "name": "carla", "role": "viewer"], by: &ana)
            #expect(added.status == .seeOther)
        }
    }

    @Test func `While the provider is down, a link made at the database lets a member in once`() async throws {
        try await Self.run(requires: true) { rig, _ in
            let link = try await rig.link(Self.ana, .owner, .signIn)
            var ana = AccessRig.Browser()
            #expect(try await rig.send(.get, "/panel/link/" + link, by: &ana).status == .ok)
            #expect(try await rig.send(.post, "/panel/link/" + link, [:], by: &ana).status == .seeOther)
            #expect(try await rig.send(.get, "/panel/members", by: &ana).status == .ok)
            #expect(try await rig.send(.post, "/panel/link/" + link, [:], by: &ana).status == .notFound)
            // No owner makes such a link in the panel.
            let proven = try present(await rig.members.member(provenBy: present(ana.cookies["__Host-eyot"])))
            let now = rig.clock.now
            await #expect(throws: MemberError.self) {
                try await rig.store.write { ledger in
                    let actor = MemberActor(proven, method: "POST", route: "/panel/members", address: nil)
                    try MemberAdmin(Transaction(ledger, at: now)).link(
                        Self.ana, .signIn, hash: Keyring.make(.memberLink).hash, by: actor)
                }
            }
        }
    }
}
