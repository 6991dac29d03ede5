import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import HTTPTypes
import Testing

@testable import EyotHTTP
@testable import EyotPanel

/// What each role may do of all that the API offers.
@Suite("Roles and the API", .timeLimit(.minutes(10)))
struct RoleTests {
    private static let routes: [Route] = {
        let backend = Backend(
            store: MemoryStore(), clock: StandingClock(), sealer: Sealer(MasterKey.make()), checkAPNSKey: { _, _, _ in }
        )
        return API.routes(backend, CallGate(CallLimits())).filter { $0.access.scopes != nil }
    }()

    /// The routes that a role may use, beside those that an administrator has in addition.
    private static let allowed: [PanelRole: Set<String>] = [
        .support: ["GET /v1/why"],
        .viewer: [
            "GET /v1/activities", "GET /v1/activities/{name}", "GET /v1/activities/{name}/replicas",
            "GET /v1/activities/{name}/declarations", "GET /v1/activities/{name}/versions/{version}/phones",
            "GET /v1/overview", "GET /v1/reports", "GET /v1/types",
            "GET /v1/activities/{name}/join-secret", "GET /v1/activities/{name}/report", "GET /v1/apps",
            "GET /v1/apps/{bundleID}",
            "GET /v1/apps/{bundleID}/apns-keys", "GET /v1/channels", "GET /v1/definitions",
            "GET /v1/definitions/{name}", "GET /v1/findings", "GET /v1/identity", "GET /v1/identity/failures",
            "GET /v1/insights/adoption", "GET /v1/insights/types/{type}", "GET /v1/operations/{id}",
            "GET /v1/requests/{id}",
            "GET /v1/status", "GET /v1/types/{type}/profile", "GET /v1/types/{type}/schemas",
        ],
    ]

    @Test func `A viewer reads nothing that names people, and support asks why alone`() {
        for (role, titles) in Self.allowed {
            let scopes = role.scopes ?? []
            let found = Self.routes.filter { Set($0.access.scopes ?? []).isSubset(of: scopes) && !$0.isOperators }
            let differing = Set(found.map { "\($0.method.rawValue) \($0.path)" }).symmetricDifference(titles)
            #expect(differing == [], "\(role)")
            if role == .viewer { #expect(!found.contains { $0.readsPeople }) }
            #expect(found.allSatisfy { $0.method == .get })
        }
    }

    @Test(
        "Each role is refused what its scopes, its reach or its app do not allow, on each route",
        arguments: PanelRole.allCases, [false, true])
    func refusals(_ role: PanelRole, _ hasProduction: Bool) async throws {
        try await AccessRig.run { rig in
            try await rig.add("ana", role, in: role == .owner ? nil : "match", production: hasProduction)
            let (caller, other) = try await callers(rig)
            #expect(other == nil || role == .owner)
            for route in Self.routes {
                let isAllowed = Self.allows(route, role, hasProduction)
                // An owner's removal of the app would end the test.
                if isAllowed, route.path == "/v1/apps/{bundleID}", route.method == .delete { continue }
                let code = await refusal(of: route, by: caller, rig)
                let said =
                    "\(role) \(hasProduction) \(route.method.rawValue) \(route.path): \(String(describing: code))"
                #expect((code == .keyForbidden) == !isAllowed, "\(said)")
            }
        }
    }

    private static func allows(_ route: Route, _ role: PanelRole, _ hasProduction: Bool) -> Bool {
        let scopes = Set(route.access.scopes ?? [])
        let hasScopes = role.scopes.map { scopes.isSubset(of: $0) } ?? true
        let hasReach = hasProduction || role == .owner || !route.isRecorded || route.checksEnvironment
        return hasScopes && hasReach && (!route.isOperators || role == .owner)
    }

    /// The callers that a member is for its app and for another one.
    private func callers(_ rig: AccessRig) async throws -> (own: Caller, other: Caller?) {
        let browser = try await rig.signIn("ana")
        let proven = try present(try await rig.members.member(provenBy: browser.cookies["__Host-eyot"] ?? ""))
        let (app, other) = (try await rig.app(), try await rig.app("other"))
        return (try present(proven.caller(for: app)), proven.caller(for: other))
    }

    /// The code that a route answers with; nil if it answers with success.
    private func refusal(of route: Route, by caller: Caller, _ rig: AccessRig) async -> EyotError.Code? {
        let path = route.path.replacing("{bundleID}", with: "org.example.match").replacing("{", with: "")
            .replacing("}", with: "")
        let local = LocalCall(route.method, path, json: route.bodyLimit == nil ? nil : [:])
        let call = Call(
            method: .get, path: "/panel", parameters: [:], query: [:], headers: [:], credentials: .nobody,
            now: rig.clock.now)
        do {
            _ = try await rig.panel.api.answer(local, as: caller, for: call)
            return nil
        } catch {
            return (error as? Problem)?.error.code
        }
    }

    @Test func `What a member does is recorded in its name, and ends with its grant`() async throws {
        try await AccessRig.run { rig in
            try await rig.add("ana", .admin, in: "match", production: true)
            let app = try await rig.app()
            let caller = try await callers(rig).own
            let halt = try #require(Self.routes.first { $0.path == "/v1/apps/{bundleID}/halt" })
            #expect(await refusal(of: halt, by: caller, rig) == nil)
            let entry = try await rig.store.read { try $0.auditEntries(of: app.id, before: nil, limit: 1) }.first
            #expect(entry?.hint == "ana")
            #expect(entry?.route == "/v1/apps/{bundleID}/halt")
            try await rig.store.write { ledger in
                for grant in try ledger.grants(for: app.id) { try ledger.removeGrant(grant.key) }
            }
            await #expect(throws: Missing.self) { _ = try await callers(rig) }
        }
    }
}
