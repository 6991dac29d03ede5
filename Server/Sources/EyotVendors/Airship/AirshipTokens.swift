import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP
import HTTPTypes

/// The route for OAuth's client credentials. It gives an access token for one hour. The client shows an app key with
/// its master secret, or an assertion signed with its private key.
struct AirshipTokens {
    /// The most bytes of a form.
    private static let formBytes = 16 * 1_024

    let backend: Backend
    private let used = UsedAssertions()

    init(backend: Backend) { self.backend = backend }

    var route: Route {
        var route = Route.answer(.post, "/token", on: AirshipTokenPlane(), .anybody) { try await answer($0) }
            .taking(["application/x-www-form-urlencoded"], upTo: Self.formBytes)
        route.secret = { call in Form(call.body).flatMap { $0["assertion"] ?? Self.presented(call, $0)?.secret } }
        return route
    }

    private func answer(_ call: Call) async throws -> Answer {
        guard let form = Form(call.body) else { throw Self.refusal("invalid_request", "the body is no form") }
        guard form["grant_type"] == "client_credentials" else {
            throw Self.refusal("unsupported_grant_type", "grant_type must be client_credentials")
        }
        let key = try await key(form, call)
        return Answer(
            .ok,
            [
                "access_token": .string(backend.sealer.accessTokens.issue(for: key, at: call.now).text),
                "token_type": "Bearer", "expires_in": .integer(AccessTokens.lifetime), "scope": "psh",
            ])
    }

    private func key(_ form: Form, _ call: Call) async throws -> APIKey {
        if let assertion = form["assertion"] {
            return try await AirshipAssertion(backend: backend, used: used).key(assertion, at: call.now)
        }
        guard let presented = Self.presented(call, form) else {
            throw Self.refusal("invalid_client", "the client's id and secret are missing", .unauthorized)
        }
        if let subject = form["sub"], subject != Self.subject(presented.identifier) {
            throw Self.refusal("invalid_grant", "sub must be app: and the app key of the client")
        }
        do {
            return try await backend.store.read { ledger in
                try Authenticate(Transaction(ledger, at: call.now)).key(presented, of: .airship)
            }
        } catch let error as EyotError where error.code != .routeUnknown {
            throw Self.refusal("invalid_client", "the client's id and secret are not known", .unauthorized)
        }
    }

    /// Returns the client's app key and secret, from the header or the form.
    private static func presented(_ call: Call, _ form: Form) -> PresentedKey? {
        if let basic = AirshipPlane.basic(in: call.headers) { return basic }
        guard let id = form["client_id"], let secret = form["client_secret"] else { return nil }
        return PresentedKey(secret: secret, identifier: id)
    }

    /// Returns the subject that a token is asked for: the app of an app key.
    static func subject(_ identifier: String?) -> String { "app:\(identifier ?? "")" }

    /// Returns a refusal in OAuth's form.
    static func refusal(
        _ error: String, _ description: String, _ status: HTTPResponse.Status = .badRequest
    ) -> Refusal {
        Refusal(Answer(status, ["error": .string(error), "error_description": .string(description)]))
    }
}

/// A body of `application/x-www-form-urlencoded`.
struct Form {
    private var values: [String: String] = [:]

    /// Parses a form; nil if the bytes are not one, or a name comes twice.
    init?(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let texts = parts.map { PercentEncoding.decoded($0.replacing("+", with: " ")) }
            guard let name = texts[0], let value = texts.count > 1 ? texts[1] : "",
                values.updateValue(value, forKey: name) == nil
            else { return nil }
        }
    }

    subscript(name: String) -> String? { values[name] }
}
