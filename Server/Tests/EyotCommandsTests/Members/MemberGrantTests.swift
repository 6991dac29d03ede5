import EyotCommands
import EyotDomain
import EyotTestKit
import Testing

@Suite("Roles of members", .timeLimit(.minutes(10)))
struct MemberGrantTests {
    private let rig = MemberRig()

    @Test(
        "A role has these scopes",
        arguments: [
            (PanelRole.viewer, ["activities:read", "apps:read", "definitions:read", "types:read"] as [String]?),
            (.support, ["why:read"]),
            (
                .operator,
                [
                    "activities:halt", "activities:read", "activities:start", "activities:update", "apps:read",
                    "definitions:read", "events:read", "people:read", "types:read", "why:read",
                ]
            ),
            (.admin, nil), (.owner, nil),
        ])
    func scopes(_ role: PanelRole, _ names: [String]?) {
        #expect(role.scopes?.map(\.rawValue).sorted() == names)
    }

    @Test func `A grant is a key of the panel that no secret opens`() async throws {
        let app = try await rig.app("match")
        let ana = try await rig.ready("ana", .operator, in: app)
        let held = try #require(ana.grants.first)
        #expect(held.key.plane == .panel)
        #expect(held.key.name == "ana")
        #expect(held.key.hint == "ana")
        #expect(held.key.scopes == PanelRole.operator.scopes)
        #expect(held.key.environment == .sandbox)
        #expect(ana.caller(for: app)?.key.id == held.key.id)
        #expect(!ana.administrates(app.id))
        let bob = try await rig.ready("bob", .admin, in: app, production: true)
        #expect(bob.grants.first?.key.environment == nil)
        #expect(bob.administrates(app.id))
        #expect(bob.operatorCaller == nil)
    }

    @Test func `Without the grant the key is revoked, and the next call may do nothing`() async throws {
        let app = try await rig.app("match")
        let ana = try await rig.ready("ana", .operator, in: app)
        let session = try await rig.signIn("ana")
        let held = try #require(ana.grants.first)
        try await rig.write { try MemberGrants($0).take(held.grant, from: ana.member, by: .command("test")) }
        #expect(try await rig.proven(session).caller(for: app) == nil)
        let key = try await rig.store.read { try $0.apiKey(held.key.id) }
        #expect(key?.revokedAt != nil)
        // A key that the API revoked ends the grant too. A member without a role signs in anew after the next grant.
        let renewed = try await rig.ready("ana", .viewer, in: app)
        #expect(try await rig.members.member(provenBy: session.secret.text) == nil)
        let again = try #require(renewed.grants.first)
        try await rig.write { transaction in
            var key = again.key
            key.revokedAt = transaction.now
            try transaction.ledger.update(key)
        }
        #expect(try await rig.proven(rig.signIn("ana")).grants.isEmpty)
    }

    @Test func `Another role replaces the one in the same app`() async throws {
        let app = try await rig.app("match")
        let ana = try await rig.ready("ana", .viewer, in: app)
        try await rig.add("ana", .admin, in: app, production: true)
        let grants = try await rig.store.read { try $0.grants(of: ana.member.id) }
        #expect(grants.map(\.role) == [.admin])
        let keys = try await rig.store.read { try $0.apiKeys(of: app.id) }
        #expect(keys.map { $0.revokedAt == nil } == [false, true])
    }

    @Test func `An owner is the caller of each app and of the server`() async throws {
        let app = try await rig.app("match")
        let ana = try await rig.ready("ana")
        #expect(ana.caller(for: app)?.app?.id == app.id)
        #expect(ana.operatorCaller?.isOperator == true)
        #expect(ana.administrates(app.id))
    }

    private func actor(_ proven: ProvenMember) -> MemberActor {
        MemberActor(proven, method: "POST", route: "/panel/members", address: nil)
    }

    private func code(_ body: () async throws -> Void) async throws -> MemberError.Code? {
        try await rig.refusal(body)?.code
    }

    @Test func `An administrator gives no more than it has`() async throws {
        let (one, two) = (try await rig.app("one"), try await rig.app("two"))
        let admin = actor(try await rig.ready("ana", .admin, in: one))
        try await rig.add("bob", .viewer, in: one, by: admin)
        #expect(
            try await code { try await rig.add("bob", .viewer, in: one, production: true, by: admin) } == .notAllowed)
        #expect(try await code { try await rig.add("bob", .viewer, in: two, by: admin) } == .notAllowed)
        #expect(try await code { try await rig.add("bob", by: admin) } == .notAllowed)
        let viewer = actor(try await rig.ready("vera", .operator, in: one, production: true))
        #expect(try await code { try await rig.add("eve", .viewer, in: one, by: viewer) } == .notAllowed)
        #expect(try await rig.store.read { try $0.member(named: "eve") } == nil)
        // Nor does it lift itself.
        #expect(
            try await code { try await rig.add("ana", .admin, in: one, production: true, by: admin) } == .notAllowed)
        #expect(try await code { try await rig.add("ana", .viewer, in: one, by: admin) } == .notAllowed)
    }

    @Test func `A link to a member needs power over all that the member may do`() async throws {
        let (one, two) = (try await rig.app("one"), try await rig.app("two"))
        let admin = actor(try await rig.ready("ana", .admin, in: one))
        try await rig.add("bob", .viewer, in: one)
        _ = try await rig.link("bob", by: admin)
        try await rig.add("bob", .viewer, in: two)
        #expect(try await code { _ = try await rig.link("bob", by: admin) } == .notAllowed)
        try await rig.add("boss")
        #expect(try await code { _ = try await rig.link("boss", by: admin) } == .notAllowed)
        #expect(try await code { try await rig.add("boss", .viewer, in: one, by: admin) } == .notAllowed)
        try await rig.add("boss", .viewer, in: one)
        #expect(try await code { _ = try await rig.link("boss", by: admin) } == .notAllowed)
        try await rig.add("prod", .viewer, in: one, production: true)
        #expect(try await code { _ = try await rig.link("prod", by: admin) } == .notAllowed)
        #expect(
            try await code { try await rig.write { try MemberAdmin($0).remove("prod", by: admin) } } == .notAllowed)
        #expect(
            try await code { try await rig.write { try MemberAdmin($0).setDisabled(true, "boss", by: admin) } }
                == .notAllowed)
    }

    @Test func `A grant's key is not rotated, takes no place of other keys, and goes with the app`() async throws {
        let app = try await rig.app("match")
        let ana = try await rig.ready("ana", .admin, in: app, production: true)
        let held = try #require(ana.grants.first)
        await #expect(throws: EyotError.self) {
            try await rig.write { transaction in
                _ = try APIKeys(transaction).rotate(
                    held.key.id, of: app.id, overlap: 0, by: held.key, make: { _ in Keyring.make(.apiKey) })
            }
        }
        for index in 0..<APIKeys.limit {
            let secret = Keyring.make(.apiKey)
            try await rig.write {
                _ = try APIKeys($0).create(.init(name: "k\(index)"), of: app.id, secret: secret)
            }
        }
        try await rig.add("bob", .viewer, in: app)
        try await rig.write { try RemoveApp($0)(app.id, leavesCards: true) }
        #expect(try await rig.proven(rig.signIn("ana")).grants.isEmpty)
    }

    @Test("A name is text without control characters, in lower case", arguments: ["", " ", "a\u{0}b", "a\nb"])
    func names(_ name: String) async throws {
        #expect(try await rig.refusal { try await rig.add(name) }?.field == "name")
    }
}
