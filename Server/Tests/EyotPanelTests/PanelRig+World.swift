import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing

@testable import EyotPanel

/// What stands in the store before a page is opened: phones, people and activities, made by the API.
extension PanelRig {
    /// A phone that has registered.
    struct Phone {
        var installation: String
        var id: String
        var secret: String
    }

    /// An API key of the app.
    func apiKey() async throws -> String {
        let secret = Keyring.make(.apiKey)
        let now = clock.now
        _ = try await store.write { ledger in
            let app = try ledger.apps().first?.id
            return try APIKeys(Transaction(ledger, at: now)).create(.init(name: "backend"), of: app, secret: secret)
        }
        return secret.secret.text
    }

    /// Calls the API as a backend, or with a phone's key.
    @discardableResult
    func call(
        _ method: HTTPRequest.Method, _ path: String, _ json: JSONValue? = nil, key: String? = nil
    ) async throws -> JSONValue {
        let bearer = if let key { key } else { try await apiKey() }
        var headers: HTTPFields = [.authorization: "Bearer \(bearer)"]
        if json != nil { headers[.contentType] = "application/json" }
        let answer = try await client.executeRequest(
            uri: path, method: method, headers: headers, body: json.map { ByteBuffer(bytes: $0.utf8) })
        try #require(answer.status.code < 300, "\(path): \(answer.text)")
        return answer.text.isEmpty ? .null : try JSONValue(parsing: answer.text)
    }

    /// A phone with a start token of the type `Match`.
    func phone(_ installation: String, user: String? = nil) async throws -> Phone {
        var body = JSONObject([
            ("installation", .string(installation)), ("environment", "sandbox"), ("bundleID", "org.example.match"),
            ("osVersion", "18.1"), ("appVersion", "1.0 (7)"), ("sdkVersion", "1.0"),
            ("permissions", ["activities": true, "frequentPushes": true]),
        ])
        body["user"] = user.map(JSONValue.string)
        let made = try await call(.post, "/v1/device/register", .object(body), key: "public").object
        let phone = Phone(
            installation: installation, id: try #require(made?["device"]?.string),
            secret: try #require(made?["secret"]?.string))
        try await change(
            phone,
            [
                "sequence": 1, "kind": "setStartToken", "type": "Match",
                "token": .string(Self.token(of: installation)),
            ])
        return phone
    }

    /// The push token of an installation, which no page may show whole.
    static func token(of installation: String) -> String {
        let end = String(repeating: "0", count: 16) + HexBytes.text(of: installation.utf8)
        return String(repeating: "0123456789abcdef", count: 9) + end.suffix(16)
    }

    func change(_ phone: Phone, _ change: JSONValue) async throws {
        try await call(.post, "/v1/device/changes", ["epoch": 1, "changes": [change]], key: phone.secret)
    }

    /// Starts an activity for all, and lets a phone report its card.
    func start(_ name: String, on phone: Phone, state: JSONValue = ["n": 1]) async throws {
        try await call(
            .post, "/v1/activities/\(PercentEncoding.encoded(name))/start",
            [
                "type": "Match", "attributes": ["home": "ARG"], "contentState": state,
                "alert": ["title": "Kick-off", "body": "Argentina v France"], "audience": "all",
            ])
        try await change(
            phone,
            [
                "sequence": 2, "kind": "setUpdateToken", "instance": "card-1", "name": .string(name), "type": "Match",
                "token": .string(Self.token(of: phone.installation)),
            ])
    }
}
