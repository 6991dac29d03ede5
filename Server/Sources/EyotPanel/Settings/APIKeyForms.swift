import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// Forms that make, rotate and revoke the keys of an app's backends.
struct APIKeyForms {
    static let path = "/panel/app/keys"

    let panel: Panel

    var routes: [Route] {
        [
            panel.form(Self.path, needs: [.keysWrite], make),
            panel.form(Self.path + "/{id}/rotate", needs: [.keysWrite], rotate),
            panel.form(Self.path + "/{id}/revoke", needs: [.keysWrite], revoke),
        ]
    }

    private func make(_ visit: Visit, _ fields: FormFields) async throws -> Answer {
        var body = JSONObject([("name", .string(try fields.required("name")))])
        if let plane = fields["plane"], plane != KeyPlane.eyot.rawValue { body["plane"] = .string(plane) }
        body["environment"] = fields["environment"].map(JSONValue.string)
        let scopes = fields.fields(under: "scope:").keys.sorted()
        if !scopes.isEmpty { body["scopes"] = .array(scopes.map(JSONValue.string)) }
        body["expiresAt"] = fields["expires"].map { .string("\($0)T00:00:00Z") }
        let made = try await visit.ask(LocalCall(.post, "/v1/keys", json: .object(body)))
        return visit.show("A new key", "app.secret", NewSecretView(made.json ?? .null, visit))
    }

    private func rotate(_ visit: Visit, _ fields: FormFields) async throws -> Answer {
        let path = LocalCall.path("v1", "keys", try visit.call.parameter("id"), "rotate")
        let made = try await visit.ask(LocalCall(.post, path, json: [:]))
        return visit.show("A new key", "app.secret", NewSecretView(made.json ?? .null, visit))
    }

    private func revoke(_ visit: Visit, _ fields: FormFields) async throws -> Answer {
        let id = try visit.call.parameter("id")
        // The name that was typed is compared with that of the key, and not with what the form says of it.
        guard let key = try await visit.read("/v1/keys").list("keys").first(where: { $0.text("id") == id }) else {
            throw EyotError(.keyUnknown, "there is no such key any more")
        }
        try fields.requireTyped(key.text("name"))
        _ = try await visit.ask(LocalCall(.delete, LocalCall.path("v1", "keys", id)))
        return visit.redirect(to: AppPage.path, saying: .removed)
    }
}

/// A key as a row of a table.
struct APIKeyRow {
    /// The planes that keys are made for.
    static let planes = ["eyot", "netmera", "airship", "braze", "insider"]

    let id: String
    let name: String
    let hint: String
    let plane: String
    let scopes: String
    let environment: String
    let created: Moment?
    let used: Moment?
    let expires: Moment?
    let rotateAction: String
    let revokeAction: String
    let mayRevoke: Bool

    /// Nil for a key that opens nothing any more, and for one that stands for a member.
    init?(_ key: JSONValue, _ visit: Visit, mayRevoke: Bool) {
        guard key["revokedAt"] == nil, key.text("plane") != KeyPlane.panel.rawValue else { return nil }
        (id, name, hint) = (key.text("id"), key.shown("name"), key.shown("hint"))
        plane = key["plane"]?.string ?? KeyPlane.eyot.rawValue
        scopes = key["scopes"] == nil ? "all" : key.texts("scopes").joined(separator: ", ")
        environment = key["environment"]?.string ?? "both"
        (created, used, expires) = (key.moment("createdAt"), key.moment("lastUsedAt"), key.moment("expiresAt"))
        rotateAction = visit.link("\(APIKeyForms.path)/\(id)/rotate")
        revokeAction = visit.link("\(APIKeyForms.path)/\(id)/revoke")
        self.mayRevoke = mayRevoke
    }
}

/// A secret that is shown this once.
struct NewSecretView {
    let name: String
    let secret: String
    let identifier: String?
    let back: String

    init(_ made: JSONValue, _ visit: Visit) {
        (name, identifier) = (made.shown("name"), made["identifier"]?.string)
        secret = made["key"]?.string ?? made.text("secret")
        back = visit.link(visit.call.path.hasPrefix(WebhookPages.path) ? WebhookPages.path : AppPage.path)
    }
}
