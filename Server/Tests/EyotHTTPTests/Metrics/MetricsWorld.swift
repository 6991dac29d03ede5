import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP
import EyotMetrics
import EyotSQLite
import EyotServer
import EyotTestKit
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import Synchronization

/// The API over a store in SQLite that counts, with one app and a log that the test reads.
struct MetricsWorld: Sendable {
    let store: SQLiteStore
    let meters: Meters
    let client: any TestClientProtocol
    let app: String
    let key: String
    private let log: WrittenLines

    /// What the API has logged, as JSON.
    var lines: [JSONValue] { log.all.compactMap { try? JSONValue(parsing: Array($0.utf8)) } }
    /// The lines as they were written.
    var text: String { log.all.joined() }

    static func run(_ test: @Sendable (MetricsWorld) async throws -> Void) async throws {
        let (meters, log, clock) = (Meters(), WrittenLines(), StandingClock())
        let store = SQLiteStore(try SQLiteDatabase()) { report in
            meters.count(report.occurrences)
            meters.count(.commits)
        }
        var backend = Backend(
            store: store, clock: clock, sealer: Sealer(MasterKey.make()), checkAPNSKey: { _, _, _ in })
        backend.meters = meters
        let first = Keyring.make(.apiKey)
        _ = try await store.write {
            try APIKeys(Transaction($0, at: clock.now)).create(.init(name: "operator"), of: nil, secret: first)
        }
        let logger = Logger(label: "test") { label in
            JSONLogHandler(label: label, now: { clock.now }, write: { log.add($0) })
        }
        try await Application(responder: API(backend), logger: logger).test(.router) { client in
            let created = try await call(
                client, .post, "/v1/apps", key: first.secret.text,
                #"{"bundleID":"org.example.match","name":"Test","activities":"public"}"#)
            let world = MetricsWorld(
                store: store, meters: meters, client: client, app: created["appKey"]?.string ?? "",
                key: created["apiKey"]?.string ?? "", log: log)
            try await test(world)
        }
        try await store.close()
    }

    func call(
        _ method: HTTPRequest.Method, _ path: String, key: String? = nil, _ body: String? = nil
    ) async throws -> Reply {
        try await Self.call(client, method, path, key: key ?? self.key, body)
    }

    func scrape() async throws -> ScrapedMetrics { try ScrapedMetrics(try await call(.get, "/metrics").text) }

    private static func call(
        _ client: any TestClientProtocol, _ method: HTTPRequest.Method, _ path: String, key: String, _ body: String?
    ) async throws -> Reply {
        var fields: HTTPFields = [:]
        fields[.authorization] = "Bearer \(key)"
        if body != nil { fields[.contentType] = "application/json" }
        let response = try await client.executeRequest(
            uri: path, method: method, headers: fields, body: body.map { ByteBuffer(string: $0) })
        let answer = Array(response.body.readableBytesView)
        return Reply(
            status: response.status.code, headers: response.headers, text: String(decoding: answer, as: UTF8.self),
            json: try? JSONValue(parsing: answer))
    }
}

/// Lines that were written.
private final class WrittenLines: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func add(_ line: String) { lines.withLock { $0.append(line) } }
}
