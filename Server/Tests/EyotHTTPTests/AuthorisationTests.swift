import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import HTTPTypes
import Testing

@testable import EyotHTTP

/// Every route with every kind of caller. The rows come from the routes themselves, so a new route without an
/// expectation fails.
@Suite("Who may call what")
struct AuthorisationTests {
    /// What tells nothing of the caller: an example of a route, and what those get who may call it.
    struct Row: Sendable {
        /// The path; nil is the route's own.
        var path: String?
        var body: String?
        /// What the app's own key gets, or the operator's where the route is the operator's.
        var right = 200
        /// What the operator's key gets that names no app.
        var operatorStatus = 422
        /// What another app's key gets.
        var other = 200
        /// Whether the body is a line of many.
        var isLines = false
    }

    private static func inApp(_ right: Int = 200, path: String, body: String? = nil) -> Row {
        Row(path: path, body: body, right: right, operatorStatus: right, other: 403)
    }

    private static func activity(_ verb: String, _ body: String? = Body.update, right: Int = 202, other: Int = 404)
        -> Row
    {
        Row(path: "/v1/activities/final\(verb)", body: body, right: right, other: other)
    }

    private static let match = "/v1/apps/org.example.match"

    /// By method and pattern.
    static let rows: [String: Row] = [
        "GET /healthz": Row(), "GET /readyz": Row(), "GET /metrics": Row(), "GET /v1/errors": Row(),
        "GET /openapi.json": Row(),
        "GET /openapi/{plane}": Row(path: "/openapi/control"),
        "GET /v1/status": Row(operatorStatus: 200),
        "GET /v1/errors/{code}": Row(path: "/v1/errors/keyInvalid"),
        "POST /v1/apps": Row(body: #"{"bundleID":"a.b","name":"n"}"#, right: 201, operatorStatus: 201, other: 403),
        "GET /v1/apps": Row(operatorStatus: 200),
        "GET /v1/apps/{bundleID}": inApp(path: match),
        "PATCH /v1/apps/{bundleID}": inApp(path: match, body: #"{"name":"n"}"#),
        "DELETE /v1/apps/{bundleID}": Row(path: match + "?leaveCards=true", right: 204, other: 403),
        "POST /v1/apps/{bundleID}/app-key/rotate": inApp(path: match + "/app-key/rotate", body: "{}"),
        "DELETE /v1/apps/{bundleID}/app-key/former": inApp(204, path: match + "/app-key/former"),
        "PUT /v1/apps/{bundleID}/privacy": inApp(path: match + "/privacy", body: #"{"activities":"public"}"#),
        "POST /v1/apps/{bundleID}/halt": inApp(path: match + "/halt"),
        "POST /v1/apps/{bundleID}/resume": inApp(path: match + "/resume"),
        "GET /v1/apps/{bundleID}/apns-keys": inApp(path: match + "/apns-keys"),
        "PUT /v1/apps/{bundleID}/apns-keys/{environment}": inApp(422, path: match + "/apns-keys/sandbox", body: "{}"),
        "POST /v1/keys": Row(body: #"{"name":"n"}"#, right: 201, operatorStatus: 201, other: 201),
        "GET /v1/keys": Row(operatorStatus: 200),
        "DELETE /v1/keys/{id}": Row(path: "/v1/keys/4", right: 204, operatorStatus: 404, other: 404),
        "POST /v1/keys/{id}/rotate": Row(
            path: "/v1/keys/4/rotate", body: "{}", right: 201, operatorStatus: 404, other: 404),
        "GET /v1/events": Row(), "GET /v1/log": Row(), "GET /v1/insights/events": Row(),
        "GET /v1/insights/events/{kind}/people": Row(path: "/v1/insights/events/card.dismissed/people"),
        "GET /v1/why": Row(path: "/v1/why?user=ana"),
        "GET /v1/audit": Row(operatorStatus: 200), "GET /v1/audit/access": Row(operatorStatus: 200),
        "GET /v1/identity": Row(),
        "PUT /v1/identity/mode": Row(body: #"{"mode":"off"}"#),
        "PUT /v1/identity/terms": Row(body: "{}"),
        "PUT /v1/identity/keys/{id}": Row(path: "/v1/identity/keys/new", body: "{}", right: 422, other: 422),
        "DELETE /v1/identity/keys/{id}": Row(path: "/v1/identity/keys/new", right: 404, other: 404),
        "GET /v1/identity/failures": Row(), "POST /v1/identity/drop-unproven": Row(body: "{}", right: 422, other: 422),
        "PUT /v1/users/{externalID}": Row(path: "/v1/users/bert", body: #"{"tags":[]}"#),
        "GET /v1/users/{externalID}": Row(path: "/v1/users/anna", other: 404),
        "PATCH /v1/users/{externalID}": Row(path: "/v1/users/bert", body: #"{"tags":[]}"#),
        "DELETE /v1/users/{externalID}": Row(path: "/v1/users/anna", right: 204, other: 404),
        "GET /v1/users/{externalID}/cards": Row(path: "/v1/users/anna/cards", other: 404),
        "GET /v1/users/{externalID}/export": Row(path: "/v1/users/anna/export", other: 404),
        "GET /v1/users": Row(), "POST /v1/users/bulk": Row(body: #"{"users":[]}"#),
        "POST /v1/devices/bulk": Row(body: #"{"devices":[]}"#),
        "GET /v1/devices/{id}": Row(path: "/v1/devices/1", other: 404),
        "PATCH /v1/devices/{id}": Row(path: "/v1/devices/1", body: #"{"tags":[]}"#, other: 404),
        "DELETE /v1/devices/{id}": Row(path: "/v1/devices/1", right: 204, other: 404),
        "POST /v1/devices/remove": Row(body: #"{"audience":{"tag":"none"}}"#),
        "GET /v1/devices/{id}/cards": Row(path: "/v1/devices/1/cards", other: 404),
        "GET /v1/devices/{id}/export": Row(path: "/v1/devices/1/export", other: 404),
        "PUT /v1/segments/{name}": Row(path: "/v1/segments/s", body: #"{"audience":"all"}"#),
        "GET /v1/segments/{name}": Row(path: "/v1/segments/none", right: 404, other: 404),
        "GET /v1/segments": Row(),
        "DELETE /v1/segments/{name}": Row(path: "/v1/segments/none", right: 404, other: 404),
        "POST /v1/webhooks": Row(body: hook, right: 201, other: 201),
        "GET /v1/webhooks": Row(),
        "GET /v1/webhooks/{id}": Row(path: "/v1/webhooks/1", other: 404),
        "PATCH /v1/webhooks/{id}": Row(path: "/v1/webhooks/1", body: #"{"name":"n"}"#, other: 404),
        "DELETE /v1/webhooks/{id}": Row(path: "/v1/webhooks/99", right: 404, other: 404),
        "POST /v1/webhooks/{id}/rotate": Row(path: "/v1/webhooks/1/rotate", body: "{}", other: 404),
        "POST /v1/webhooks/{id}/enable": Row(path: "/v1/webhooks/1/enable", other: 404),
        "POST /v1/webhooks/{id}/disable": Row(path: "/v1/webhooks/1/disable", other: 404),
        "POST /v1/webhooks/{id}/test": Row(path: "/v1/webhooks/1/test", other: 404),
        "POST /v1/webhooks/{id}/replay": Row(path: "/v1/webhooks/1/replay", body: #"{"after":"0"}"#, other: 404),
        "GET /v1/webhooks/{id}/deliveries": Row(path: "/v1/webhooks/1/deliveries", other: 404),
        "POST /v1/webhooks/{id}/deliveries/{event}/retry": Row(
            path: "/v1/webhooks/1/deliveries/999/retry", right: 404, other: 404),
        "POST /v1/audiences/count": Row(body: #"{"audience":"all"}"#),
        "PUT /v1/definitions/{name}": Row(
            path: "/v1/definitions/d", body: #"{"declaration":{"contentState":{"n":1}}}"#),
        "GET /v1/definitions/{name}": Row(path: "/v1/definitions/none", right: 404, other: 404),
        "GET /v1/definitions": Row(),
        "DELETE /v1/definitions/{name}": Row(path: "/v1/definitions/none", right: 404, other: 404),
        "PUT /v1/test-devices/{name}": Row(path: "/v1/test-devices/t", body: #"{"user":"anna"}"#),
        "GET /v1/test-devices/{name}": Row(path: "/v1/test-devices/none", right: 404, other: 404),
        "GET /v1/test-devices": Row(),
        "POST /v1/raw-pushes": Row(
            path: "/v1/raw-pushes?dryRun=true", body: #"{"environment":"sandbox","token":"00ff","payload":{}}"#),
        "DELETE /v1/test-devices/{name}": Row(path: "/v1/test-devices/none", right: 404, other: 404),
        "POST /v1/declarations": Row(body: #"{"name":"x","verb":"put","contentState":{}}"#, isLines: true),
        "GET /v1/devices": Row(), "GET /v1/channels": Row(), "GET /v1/activities": Row(),
        "GET /v1/activities/{name}": activity("", nil, right: 200),
        "GET /v1/activities/{name}/report": activity("/report", nil, right: 200),
        "GET /v1/insights/types/{type}": Row(path: "/v1/insights/types/Match"), "GET /v1/insights/adoption": Row(),
        "GET /v1/insights/not-sent": Row(), "GET /v1/findings": Row(), "GET /v1/overview": Row(),
        "GET /v1/reports": Row(),
        "GET /v1/activities/{name}/declarations": activity("/declarations", nil, right: 200),
        "GET /v1/activities/{name}/replicas": activity("/replicas", nil, right: 200),
        "GET /v1/activities/{name}/versions/{version}/phones": activity("/versions/1/phones", nil, right: 200),
        "GET /v1/requests/{id}": Row(path: "/v1/requests/none", right: 404, other: 404),
        "POST /v1/activities/{name}/start": activity("/start", Body.start, other: 202),
        "POST /v1/activities/{name}/update": activity("/update"),
        "POST /v1/activities/{name}/end": activity("/end", "{}"),
        "PUT /v1/activities/{name}": activity("", other: 202),
        "POST /v1/activities/{name}/watch": activity("/watch", nil, right: 200),
        "POST /v1/activities/{name}/unwatch": activity("/unwatch", nil, right: 404),
        "POST /v1/activities/{name}/halt": activity("/halt", nil, right: 200),
        "POST /v1/activities/{name}/resume": activity("/resume", nil, right: 200),
        "POST /v1/activities/{name}/join-secret": activity("/join-secret", nil, right: 201),
        "GET /v1/activities/{name}/join-secret": activity("/join-secret", nil, right: 404),
        "DELETE /v1/activities/{name}/join-secret": activity("/join-secret", nil, right: 404),
        "POST /v1/types/{type}/halt": Row(path: "/v1/types/Match/halt"),
        "POST /v1/types/{type}/resume": Row(path: "/v1/types/Match/resume"),
        "GET /v1/operations/{id}": Row(path: "/v1/operations/1", other: 404),
        "POST /v1/tokens/restore": Row(body: #"{"all":true}"#),
        "POST /v1/tokens/import": Row(body: "", isLines: true),
        "GET /v1/types": Row(),
        "PUT /v1/types/{type}/profile": Row(path: "/v1/types/Match/profile", body: "{}"),
        "GET /v1/types/{type}/profile": Row(path: "/v1/types/Match/profile"),
        "PUT /v1/types/{type}/schemas": Row(path: "/v1/types/Other/schemas", body: schema),
        "GET /v1/types/{type}/schemas": Row(path: "/v1/types/Other/schemas"),
        "DELETE /v1/types/{type}/schemas": Row(path: "/v1/types/Other/schemas", right: 204, other: 404),
        "DELETE /v1/types/{type}/schemas/{build}": Row(path: "/v1/types/Other/schemas/1", right: 204, other: 404),
        "POST /v1/device/register": Row(body: Rig.registration("two"), right: 201, other: 403),
        "POST /v1/device/changes": Row(body: #"{"epoch":1,"changes":[]}"#),
        "POST /v1/device/channel": Row(body: #"{"name":"final"}"#, right: 404),
        "POST /v1/device/card": Row(body: #"{"name":"final","type":"Match"}"#),
    ]

    private static let hook = #"{"url":"https://hooks.example.org/"}"#
    private static let schema = #"{"schema":{"attributes":{},"contentState":{}},"builds":[]}"#

    static let routes: [Route] = {
        let backend = Backend(
            store: MemoryStore(), clock: StandingClock(), sealer: Sealer(MasterKey.make()), checkAPNSKey: { _, _, _ in }
        )
        return API.routes(backend, CallGate(CallLimits()))
    }()

    /// The callers of one rig.
    private struct Callers {
        var phone: String
        var revoked: String
        var expired: String
    }

    private func prepare(_ rig: Rig) async throws -> Callers {
        let phone = try await rig.phone("one", user: "anna", tags: ["fans"])
        #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
        for builds in ["[]", #"["1"]"#] {
            let body = Self.schema.replacing(#""builds":[]"#, with: #""builds":\#(builds)"#)
            #expect(try await rig.call(.put, "/v1/types/Other/schemas", body).status == 200)
        }
        #expect(try await rig.call(.post, "/v1/webhooks", Self.hook)["id"]?.string == "1")
        // Key 4 is the one that routes are about.
        #expect(try await rig.call(.post, "/v1/keys", #"{"name":"spare"}"#)["id"]?.string == "4")
        let revoked = try await rig.call(.post, "/v1/keys", #"{"name":"revoked"}"#)
        #expect(try await rig.call(.delete, "/v1/keys/\(revoked["id"]?.string ?? "")").status == 204)
        let expired = try await rig.call(
            .post, "/v1/keys", #"{"name":"expired","expiresAt":"2022-12-18T15:00:01Z"}"#)
        rig.clock.advance(1)
        return Callers(
            phone: phone.secret, revoked: try #require(revoked["key"]?.string),
            expired: try #require(expired["key"]?.string))
    }

    /// A key of the match app, or of the operator, with some scopes.
    private func key(_ scopes: [KeyScope], by maker: String, _ rig: Rig) async throws -> String {
        let names = scopes.map { #""\#($0.rawValue)""# }.joined(separator: ",")
        let made = try await rig.call(.post, "/v1/keys", #"{"name":"k","scopes":[\#(names)]}"#, key: maker)
        return try #require(made["key"]?.string, "\(made.text)")
    }

    @Test func `Every route has a row, and every row a route`() {
        #expect(Set(Self.routes.map(\.title)) == Set(Self.rows.keys))
        #expect(Self.routes.count == Self.rows.count)
    }

    @Test(arguments: routes.map(\.title)) func `Each caller gets what it may`(title: String) async throws {
        let route = try #require(Self.routes.first { $0.title == title })
        let row = try #require(Self.rows[title], "nobody has said who may call \(title)")
        try await Rig.run { rig in
            let callers = try await prepare(rig)
            func call(_ key: String?, _ headers: [String: String] = [:]) async throws -> Reply {
                let type = row.isLines ? ["Content-Type": BodyReader.lines] : [:]
                return try await rig.call(
                    route.method, row.path ?? route.path, row.body, key: key,
                    headers: headers.merging(type) { $1 })
            }
            func expect(_ who: String, _ key: String?, _ status: Int, _ code: String? = nil) async throws {
                let reply = try await call(key)
                #expect(reply.status == status, "\(who) \(reply.text)")
                if let code { #expect(reply.code == code, "\(who) \(reply.text)") }
                if let key, key != Rig.ownKey, status >= 400 { #expect(!reply.text.contains(key), "\(who)") }
            }
            let unknown = Keyring.make(.apiKey).secret.text
            switch route.access {
            case .anybody:
                for key in [nil, unknown, callers.revoked, rig.match.api] {
                    try await expect("anybody", key, row.right)
                }
            case .appKey, .deviceSecret:
                let isRegistration = title == "POST /v1/device/register"
                let invalid = isRegistration ? "keyInvalid" : "secretInvalid"
                try await expect("nobody", nil, 401, "keyMissing")
                try await expect("unknown", unknown, 401, invalid)
                for key in [callers.revoked, callers.expired, rig.match.api, rig.other.api, rig.operatorKey] {
                    try await expect(
                        "a key", key, isRegistration ? 403 : 401, isRegistration ? "keyForbidden" : invalid)
                }
                try await expect("the wrong kind", isRegistration ? callers.phone : rig.match.app, 401, invalid)
                if isRegistration { try await expect("another app", rig.other.app, row.other) }
                try await expect("right", isRegistration ? rig.match.app : callers.phone, row.right)
            case .scopedKey(let scopes), .scopedOperatorKey(let scopes):
                try await expect("nobody", nil, 401, "keyMissing")
                for key in ["nonsense", unknown, callers.revoked, callers.expired] {
                    try await expect("no key", key, 401, "keyInvalid")
                }
                for key in [rig.match.app, callers.phone] { try await expect("a phone", key, 403, "keyForbidden") }
                var isOperators = false
                if case .scopedOperatorKey = route.access { isOperators = true }
                let maker = isOperators ? rig.operatorKey : rig.match.api
                for scope in scopes {
                    // A key that reads events and people may ask why.
                    let others = KeyScope.allCases.filter {
                        $0 != scope && !(scope == .whyRead && $0 == .peopleRead)
                    }
                    let reply = try await call(try await key(others, by: maker, rig))
                    #expect(reply.code == "keyForbidden", "\(reply.text)")
                    #expect(reply["detail"]?.string?.contains(scope.rawValue) == true, "\(reply.text)")
                }
                try await expect("another app", rig.other.api, row.other)
                if isOperators {
                    try await expect("an app's own", rig.match.api, 403, "keyForbidden")
                } else {
                    try await expect("the operator's", rig.operatorKey, row.operatorStatus)
                }
                // What is right comes last, since it changes things; with the scopes that it needs and no other.
                let scoped = scopes.contains(.keysWrite) ? maker : try await key(scopes, by: maker, rig)
                try await expect("right", scoped, row.right)
            }
        }
    }

    @Test func `Every scope opens some route, except that which shows more of an answer`() {
        let opening = Set(KeyScope.allCases).subtracting([.tokensRead])
        #expect(Set(Self.routes.flatMap { $0.access.scopes ?? [] }) == opening)
    }
}

extension Route {
    /// Its method and its pattern.
    fileprivate var title: String { "\(method.rawValue) \(path)" }
}
