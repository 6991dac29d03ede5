import APNSSender
import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP
import EyotIdentity
import EyotTestKit
import EyotVendors
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Synchronization
import Testing

/// A clock that stands until it is moved. Nothing in the routes sleeps.
final class StandingClock: WallClock {
    private let moment = Mutex(Rig.start)

    var now: Instant { moment.withLock { $0 } }

    func nap(until moment: Instant, atMost seconds: Double) async throws { throw CancellationError() }

    func advance(_ seconds: Double) { moment.withLock { $0 = $0 + seconds } }
}

/// A switch that a test turns.
final class Switch: Sendable {
    private let state = Mutex(false)

    var isOn: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

/// What came back.
struct Reply: Sendable {
    var status: Int
    var headers: HTTPFields
    var text: String
    var json: JSONValue?

    /// A member by its path; numbers are indices of arrays.
    subscript(_ path: String...) -> JSONValue? {
        path.reduce(json) { value, name in
            Int(name).map { value?.array?.dropFirst($0).first } ?? value?.object?[name]
        }
    }

    var code: String? { self["code"]?.string }
    var field: String? { self["field"]?.string }
    var etag: String? { headers[.eTag] }
}

/// The API over a store in memory, called at router depth, with two apps and their keys.
struct Rig: Sendable {
    /// 2022-12-18T15:00:00Z.
    static let start = Instant(second: 1_671_375_600)

    /// The keys of one app.
    struct Keys: Sendable {
        var app: String
        var api: String
    }

    let store: MemoryStore
    let clock: StandingClock
    let hasHints: Bool
    let isDraining: Switch
    let keyUses: KeyUses
    let pushing: PushingState
    let trail: AuditTrail
    let operatorKey: String
    let client: any TestClientProtocol
    /// What the client calls.
    let api: API
    let feed: EventFeed
    /// The app that most tests are about, `org.example.match`.
    let match: Keys
    /// Another app, `org.example.other`.
    let other: Keys

    /// Runs a rig over a wrapped store, which the test gets, too.
    static func run<Wrapper: WrappedStore>(
        over wrap: (MemoryStore) -> Wrapper, _ test: @Sendable (Rig, Wrapper) async throws -> Void
    ) async throws {
        let made = Mutex<Wrapper?>(nil)
        let keep = { (store: MemoryStore) in
            let wrapper = wrap(store)
            made.withLock { $0 = wrapper }
            return wrapper
        }
        try await run(wrapping: keep) { rig in try await test(rig, #require(made.withLock(\.self))) }
    }

    /// - Parameters:
    ///   - wrap: what stands between the API and the store.
    ///   - lenientVendors: the vendors that do not refuse what their documents say they refuse.
    ///   - limits: how often callers may call.
    ///   - quotas: how much phones may fill.
    ///   - hasHints: whether answers keep what is true of every app of the rig, see ``hints``.
    static func run(
        wrapping wrap: (MemoryStore) throws -> any Store = { $0 }, lenientVendors: Set<KeyPlane> = [],
        hasHints: Bool = false, limits: CallLimits = CallLimits(), quotas: AppQuotas = AppQuotas(),
        trail: AuditTrail = AuditTrail(),
        _ test: @Sendable (Rig) async throws -> Void
    ) async throws {
        let store = MemoryStore()
        let wrapped = try wrap(store)
        let clock = StandingClock()
        let isDraining = Switch()
        let keyUses = KeyUses()
        let pushing = PushingState(at: clock.now)
        let backend = Backend(
            store: wrapped, clock: clock, sealer: Sealer(MasterKey.make()),
            checkAPNSKey: { _ = try ProviderKey(teamID: $0, keyID: $1, p8: $2.utf8) },
            identities: JWTVerifier(), limits: limits, quotas: quotas, trail: trail, keyUses: keyUses, pushing: pushing,
            isDraining: { isDraining.isOn })
        let api = API(backend, vendors: Vendors.all, lenient: lenientVendors)
        let first = Keyring.make(.apiKey)
        _ = try await wrapped.write {
            try APIKeys(Transaction($0, at: start)).create(.init(name: "operator"), of: nil, secret: first)
        }
        @Sendable func create(_ bundleID: String, _ client: any TestClientProtocol) async throws -> Keys {
            let reply = try await call(
                client, .post, "/v1/apps", key: first.secret.text,
                body: #"{"bundleID":"\#(bundleID)","name":"Test","activities":"public"}"#)
            return Keys(app: try #require(reply["appKey"]?.string), api: try #require(reply["apiKey"]?.string))
        }
        try await Application(responder: api).test(.router) { client in
            let rig = Rig(
                store: store, clock: clock, hasHints: hasHints, isDraining: isDraining, keyUses: keyUses,
                pushing: pushing, trail: trail, operatorKey: first.secret.text, client: client, api: api,
                feed: backend.feed,
                match: try await create("org.example.match", client),
                other: try await create("org.example.other", client))
            try await test(rig)
        }
    }

    private static func call(
        _ client: any TestClientProtocol, _ method: HTTPRequest.Method, _ path: String, key: String?,
        headers: [String: String] = [:], bytes: [UInt8]? = nil, body: String? = nil, hasHints: Bool = true
    ) async throws -> Reply {
        var fields: HTTPFields = [:]
        if let key { fields[.authorization] = "Bearer \(key)" }
        let bytes = bytes ?? body.map { Array($0.utf8) }
        if bytes != nil { fields[.contentType] = "application/json" }
        for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value.isEmpty ? nil : value }
        let response = try await client.executeRequest(
            uri: path, method: method, headers: fields, body: bytes.map { ByteBuffer(bytes: $0) })
        var answer = Array(response.body.readableBytesView)
        if !hasHints { answer = withoutHints(answer, isNative: path.hasPrefix("/v1/")) }
        return Reply(
            status: response.status.code, headers: response.headers, text: String(decoding: answer, as: UTF8.self),
            json: try? JSONValue(parsing: answer))
    }

    /// What every answer says of the rig's world: the type of most tests has no schema, and the apps have no APNs key.
    private static let hints = [
        #""No schema is registered for Match, so Eyot cannot check that phones can decode this. "#
            + #"Register one with `eyot schema push`.""#,
        #""The app has no APNs key, so nothing is sent. Store an APNs key of the app for the environment. "#
            + #"[apnsKeyMissing]""#,
    ]

    /// An answer as it would be without the ``hints``.
    ///
    /// - Parameter isNative: whether a list of warnings stands there when it is empty.
    private static func withoutHints(_ answer: [UInt8], isNative: Bool) -> [UInt8] {
        var text = String(decoding: answer, as: UTF8.self)
        guard hints.contains(where: text.contains) else { return answer }
        for hint in hints {
            for part in [hint + ",", "," + hint, hint] { text = text.replacing(part, with: "") }
        }
        if !isNative { for name in ["warnings", "errors"] { text = text.replacing(#","\#(name)":[]"#, with: "") } }
        return Array(text.utf8)
    }

    /// Stands for the match app's API key.
    static let ownKey = "own"

    /// - Parameters:
    ///   - key: nil sends none.
    ///   - headers: further ones; an empty value takes one away.
    func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, key: String? = ownKey,
        headers: [String: String] = [:], bytes: [UInt8]? = nil
    ) async throws -> Reply {
        try await Self.call(
            client, method, path, key: key == Self.ownKey ? match.api : key, headers: headers, bytes: bytes, body: body,
            hasHints: hasHints)
    }
}

// MARK: - Phones

extension Rig {
    /// Registers a phone, and gives it a start token.
    ///
    /// - Returns: its device id and secret.
    @discardableResult
    func phone(
        _ installation: String, user: String? = nil, tags: [String] = [], os: String = "18.1",
        build: String = "1.0 (7)", hasStartToken: Bool = true
    ) async throws -> (id: String, secret: String) {
        let registered = try await call(
            .post, "/v1/device/register", Self.registration(installation, user: user, os: os, build: build),
            key: match.app)
        let secret = try #require(registered["secret"]?.string, "\(registered.text)")
        if let user, !tags.isEmpty {
            let list = tags.map { "\"\($0)\"" }.joined(separator: ",")
            #expect(try await call(.put, "/v1/users/\(user)", #"{"tags":[\#(list)]}"#).status == 200)
        }
        if hasStartToken {
            let reply = try await changes(
                secret, #"{"sequence":1,"kind":"setStartToken","type":"Match","token":"\#(Self.token(installation))"}"#)
            #expect(reply.status == 200, "\(reply.text)")
        }
        return (try #require(registered["device"]?.string), secret)
    }

    static func registration(
        _ installation: String, user: String? = nil, os: String = "18.1", bundleID: String = "org.example.match",
        build: String = "1.0 (7)"
    ) -> String {
        let member = user.map { #","user":"\#($0)""# } ?? ""
        return #"{"installation":"\#(installation)","environment":"sandbox","bundleID":"\#(bundleID)","#
            + #""osVersion":"\#(os)","appVersion":"\#(build)","sdkVersion":"1.0","#
            + #""permissions":{"activities":true,"frequentPushes":true}\#(member)}"#
    }

    /// 80 bytes that differ with the text.
    static func token(_ text: String) -> String {
        let seed = HexBytes.text(of: text.utf8)
        return String((seed + String(repeating: "0123456789abcdef", count: 10)).prefix(160))
    }

    func changes(_ secret: String, epoch: Int = 1, _ changes: String...) async throws -> Reply {
        try await call(
            .post, "/v1/device/changes", #"{"epoch":\#(epoch),"changes":[\#(changes.joined(separator: ","))]}"#,
            key: secret)
    }

    /// A card reports its update token.
    static func card(_ sequence: Int, _ instance: String, name: String = "final", token: String) -> String {
        #"{"sequence":\#(sequence),"kind":"setUpdateToken","instance":"\#(instance)","name":"\#(name)","#
            + #""type":"Match","token":"\#(Self.token(token))"}"#
    }
}

// MARK: - Bodies

enum Body {
    static let alert = #"{"title":"Kick-off","body":"Argentina v France"}"#
    static let start =
        #"{"type":"Match","attributes":{"home":"ARG"},"contentState":{"n":1},"alert":\#(alert),"audience":"all"}"#
    static let update = #"{"contentState":{"n":2}}"#
}
