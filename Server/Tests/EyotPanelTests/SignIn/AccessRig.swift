import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import HTTPConnections
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging

@testable import EyotHTTP
@testable import EyotPanel

/// The panel with real members, over a store in memory with two apps.
struct AccessRig: Sendable {
    static let password = "correct horse battery"

    let store: MemoryStore
    let clock: StandingClock
    let members: Members
    let panel: Panel
    let client: any TestClientProtocol

    /// What a test changes of the ordinary rig.
    struct Setup: Sendable {
        /// Whether the listener speaks TLS.
        var isEncrypted = true
        var proxies = TrustedProxies()
        var proxyHeader: String?
        var openID: (@Sendable (StandingClock) -> OpenIDProvider)?
        /// Whether members sign in by a provider or a proxy alone.
        var requiresAccount = false
        /// Whether calls come over a socket of this machine.
        var isLive = false
    }

    static func run(
        _ setup: Setup = Setup(), _ test: @escaping @Sendable (AccessRig) async throws -> Void
    ) async throws {
        let (store, clock) = (MemoryStore(), StandingClock())
        let backend = Backend(
            store: store, clock: clock, sealer: Sealer(MasterKey.make()), checkAPNSKey: { _, _, _ in })
        let members = Members(
            store: store, clock: clock, sealer: backend.sealer,
            hasher: PasswordHasher(cost: PasswordCost(logRounds: 1, blockSize: 1, parallelism: 1)),
            policy: SignInPolicy(requiresAccount: setup.requiresAccount), onRefusal: { backend.trail.noteRefusal($0) })
        try await store.write { ledger in
            for name in ["match", "other"] {
                _ = try ledger.insertApp(
                    bundleID: "org.example.\(name)", name: name, publicKey: name, at: clock.now)
            }
        }
        let access = PanelAccess(members, openID: setup.openID?(clock), proxyHeader: setup.proxyHeader)
        let api = API(backend, proxies: setup.proxies)
        let panel = Panel(backend, api: api, access: access, live: LiveHub(clock: clock, logger: Logger(label: "test")))
        let served = api.adding { _ in panel.routes }.serving([.panel], isEncrypted: setup.isEncrypted)
        try await Application(responder: served).test(setup.isLive ? .live : .router) { client in
            try await test(AccessRig(store: store, clock: clock, members: members, panel: panel, client: client))
        }
    }

    // MARK: Members

    func app(_ name: String = "match") async throws -> App {
        try present(await store.read { try $0.app(bundleID: "org.example.\(name)") })
    }

    /// Adds a member who has set ``password``. Without an app it is an owner.
    func add(_ name: String, _ role: PanelRole = .owner, in app: String? = nil, production: Bool = false) async throws {
        let link = try await link(name, role, in: app, production: production)
        _ = try await members.accept(link: link, password: Secret(Self.password), from: SignInOrigin())
    }

    /// Adds a member, and returns the secret of its link.
    func link(
        _ name: String, _ role: PanelRole = .owner, in app: String? = nil, production: Bool = false,
        _ purpose: MemberLink.Purpose = .password
    ) async throws -> String {
        let secret = Keyring.make(.memberLink)
        let now = clock.now
        try await store.write { ledger in
            let transaction = Transaction(ledger, at: now)
            let place = try app.flatMap { try ledger.app(bundleID: "org.example.\($0)") }
            _ = try MemberAdmin(transaction).add(
                name, .init(role, for: place, hasProduction: production), hash: Keyring.make(.apiKey).hash,
                by: .command("test"))
            try MemberAdmin(transaction).link(name, purpose, hash: secret.hash, by: .command("test"))
        }
        return secret.secret.text
    }

    // MARK: Calls

    /// What a browser holds and sends.
    struct Browser: Sendable {
        var cookies: [String: String] = [:]
        var site: String? = "same-origin"
        var headers: [String: String] = [:]
    }

    @discardableResult
    func send(
        _ method: HTTPRequest.Method, _ path: String, _ fields: [String: String]? = nil, by browser: inout Browser
    ) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        for (name, value) in browser.headers { headers[try present(HTTPField.Name(name))] = value }
        if !browser.cookies.isEmpty {
            headers[.cookie] = browser.cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        }
        if let site = browser.site { headers[try present(HTTPField.Name("Sec-Fetch-Site"))] = site }
        let text = fields?.map { "\($0.key)=\(PercentEncoding.encoded($0.value))" }.joined(separator: "&")
        if text != nil { headers[.contentType] = "application/x-www-form-urlencoded" }
        let answer = try await client.executeRequest(
            uri: path, method: method, headers: headers, body: text.map { ByteBuffer(string: $0) })
        for field in answer.headers where field.name == .setCookie {
            let pair = field.value.prefix { $0 != ";" }.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            browser.cookies[String(pair[0])] = pair[1].isEmpty ? nil : String(pair[1])
        }
        return answer
    }

    /// Signs a member in, in a new browser.
    func signIn(_ name: String) async throws -> Browser {
        var browser = Browser()
        let answer = try await send(
            .post, "/panel/sign-in", ["name": name, "password": Self.password], by: &browser)
        guard answer.status == .seeOther else { throw NotSignedIn(status: answer.status, text: answer.text) }
        return browser
    }

    struct NotSignedIn: Error {
        var status: HTTPResponse.Status
        var text: String
    }

    /// The token of a page's forms.
    func token(_ browser: inout Browser, on path: String = "/panel/me") async throws -> String {
        let page = try await send(.get, path, by: &browser).text
        let start = try present(page.range(of: #"name="token" value=""#))
        return String(page[start.upperBound...].prefix { $0 != "\"" })
    }
}

/// Returns a value that must be there.
func present<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw Missing() }
    return value
}

struct Missing: Error {}
