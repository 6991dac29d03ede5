import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP
import EyotTestKit
import EyotVendors
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Synchronization
import Testing

@testable import EyotPanel

/// A clock that stands until it is moved.
final class StandingClock: WallClock {
    private let moment = Mutex(Instant(second: 1_671_375_600))

    var now: Instant { moment.withLock { $0 } }

    func nap(until moment: Instant, atMost seconds: Double) async throws { throw CancellationError() }

    func advance(_ seconds: Double) { moment.withLock { $0 = $0 + seconds } }
}

/// The member that each call is made for: the one that its header names.
struct NamedSessions: PanelSessions {
    static let header = HTTPField.Name.known("Test-Member")

    let store: MemoryStore
    /// Scopes by member.
    let members: [String: Set<KeyScope>]

    func find(in call: EyotHTTP.Call) async throws -> SignedIn? {
        guard let name = call.headers[Self.header], let scopes = members[name] else { return nil }
        return try await store.read { ledger in
            let seats = try ledger.apps().map { app in
                var key = APIKey(
                    app: app.id, name: name, hash: SecretHash(bytes: []), hint: name, createdAt: call.now,
                    plane: .panel)
                key.scopes = scopes
                return SignedIn.Seat(app: app, key: key, role: name)
            }
            return SignedIn(name: name, seats: seats, isOwner: false, formToken: "token-of-\(name)")
        }
    }
}

/// The panel over a store in memory, called at router depth, with one app.
struct PanelRig: Sendable {
    let store: MemoryStore
    let clock: StandingClock
    let live: LiveHub
    let panel: Panel
    let client: any TestClientProtocol
    let visits: Visits

    /// A page of the tests alone, which hands its visit out.
    static let probe = "/panel/probe"

    /// The members: `ana` may do everything, `vera` reads activities, `otto` and `olga` read, and `sam` asks why alone.
    private static let members: [String: Set<KeyScope>] = [
        "ana": Set(KeyScope.allCases), "vera": [.activitiesRead],
        "otto": [.activitiesRead, .peopleRead, .eventsRead, .typesRead, .definitionsRead], "sam": [.whyRead],
        "olga": [.activitiesRead, .peopleRead, .eventsRead, .typesRead, .definitionsRead],
    ]

    /// Runs a test with the members above, and an app.
    static func run(_ test: @escaping @Sendable (PanelRig) async throws -> Void) async throws {
        let (store, clock) = (MemoryStore(), StandingClock())
        let backend = Backend(
            store: store, clock: clock, sealer: Sealer(MasterKey.make()), checkAPNSKey: { _, _, _ in })
        let live = LiveHub(clock: clock, logger: Logger(label: "test"))
        let sessions = NamedSessions(store: store, members: members)
        try await store.write { ledger in
            _ = try ledger.insertApp(
                bundleID: "org.example.match", name: "Match & Co", publicKey: "public", at: clock.now)
        }
        let api = API(backend, vendors: Vendors.all)
        let panel = Panel(backend, api: api, sessions: sessions, live: live)
        let visits = Visits()
        let probe = panel.page(probe) { visit in
            visits.note(visit)
            return .page("")
        }
        try await Application(responder: api.adding { _ in panel.routes + [probe] }).test(.router) { client in
            try await test(
                PanelRig(store: store, clock: clock, live: live, panel: panel, client: client, visits: visits))
        }
    }

    func get(_ path: String, as member: String? = "ana") async throws -> TestResponse {
        try await client.executeRequest(uri: path, method: .get, headers: headers(member), body: nil)
    }

    /// Sends a form as a browser does that shows a page of the panel.
    func post(
        _ path: String, _ fields: [String: String], as member: String? = "ana", site: String? = "same-origin"
    ) async throws -> TestResponse {
        var headers = headers(member)
        headers[.contentType] = "application/x-www-form-urlencoded"
        headers[.known("Sec-Fetch-Site")] = site
        var fields = fields
        if let member, fields[FormGuard.field] == nil { fields[FormGuard.field] = "token-of-\(member)" }
        let text = fields.map { "\($0.key)=\(PercentEncoding.encoded($0.value))" }.joined(separator: "&")
        return try await client.executeRequest(
            uri: path, method: .post, headers: headers, body: ByteBuffer(string: text))
    }

    private func headers(_ member: String?) -> HTTPFields {
        var headers: HTTPFields = [:]
        headers[NamedSessions.header] = member
        return headers
    }
}

extension TestResponse {
    var text: String { String(buffer: body) }
}
