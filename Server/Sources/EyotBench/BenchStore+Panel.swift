import EyotCommands
import EyotDomain
import EyotHTTP
import EyotPanel
import EyotVendors
import HTTPTypes
import Logging

/// The panel of a bench's store while it is served, and a member who is signed in.
struct ServedPanel: Sendable {
    let port: Int
    let store: CountingStore
    /// The paths of all pages, with parameters in braces.
    let pages: [String]
    /// The cookie of a signed-in owner.
    let cookie: String

    /// The bytes of a call for a page.
    func call(_ path: String) -> [UInt8] {
        let head = ["GET \(path) HTTP/1.1", "Host: localhost", "Cookie: \(cookie)", "", ""]
        return Array(head.joined(separator: "\r\n").utf8)
    }
}

extension BenchStore {
    /// Paths that are no pages of a member who is signed in.
    private static let otherPaths = ["/panel/assets", "/panel/link", "/panel/live", "/panel/oidc", "/panel/sign-in"]

    /// Serves the panel and the API on a free port while the body runs, as a server does.
    func withPanel(_ body: (ServedPanel) async throws -> Void) async throws {
        let counting = CountingStore(store)
        let backend = Backend(
            store: counting, clock: clock, sealer: Sealer(MasterKey.make()), checkAPNSKey: { _, _, _ in },
            limits: .none)
        let members = Members(store: counting, clock: clock, sealer: backend.sealer)
        let cookie = "eyot-local=\(try await signIn(members).text)"
        let live = LiveHub(clock: clock, logger: Logger(label: "bench"))
        var pages: [String] = []
        let api = API(backend, vendors: Vendors.all).adding { api in
            let routes = Panel(backend, api: api, access: PanelAccess(members), live: live).routes
            pages = routes.filter { $0.method == .get }.map(\.path)
            return routes
        }
        pages.removeAll { path in Self.otherPaths.contains(where: path.hasPrefix) }
        try await withThrowingTaskGroup { group in
            group.addTask { try await live.run() }
            try await Self.serve(api) { port in
                try await body(ServedPanel(port: port, store: counting, pages: pages, cookie: cookie))
            }
            group.cancelAll()
        }
    }

    /// Adds an owner, and signs it in by a link.
    private func signIn(_ members: Members) async throws -> Secret {
        let (now, actor, link) = (clock.now, MemberActor.command("bench"), Keyring.make(.memberLink))
        try await store.write { ledger in
            let admin = MemberAdmin(Transaction(ledger, at: now))
            _ = try admin.add("bench", .init(.owner, for: nil), hash: Keyring.make(.apiKey).hash, by: actor)
            try admin.link("bench", .signIn, hash: link.hash, by: actor)
        }
        return try await members.accept(link: link.secret.text, password: nil, from: SignInOrigin()).secret
    }
}
