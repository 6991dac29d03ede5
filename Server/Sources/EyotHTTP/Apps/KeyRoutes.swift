import EyotCommands
import EyotContract
import EyotDomain

/// Keys of the control plane: an app's, or the operator's where an operator's call names no app.
struct KeyRoutes {
    let backend: Backend

    var routes: [Route] {
        [
            .post("/v1/keys", .key, create),
            .get("/v1/keys", .key, list),
            .delete("/v1/keys/{id}", .key, revoke),
        ]
    }

    private func create(_ call: Call) throws -> Route.Command {
        let app = try call.caller.app
        let (name, plane) = try call.fields { fields throws(JSONFieldError) in
            (try fields.required("name", fields.string("name")), try fields.plane("plane"))
        }
        let made = Keyring.make(for: plane)
        return { ledger in
            let key = try APIKeys(ledger: ledger, now: call.now).create(
                name: name, of: app?.id, secret: made.secret, plane: plane, identifier: made.identifier)
            var object = key.object(app: app)
            object["key"] = .string(made.secret.secret.text)
            var answer = Answer(.created, .object(object))
            answer.repetition = EyotError(
                .answerNotKept, "key \(key.id), \(key.hint), was made by this call, and is shown once")
            return answer
        }
    }

    private func list(_ call: Call) async throws -> Answer {
        let app = try call.caller.app
        let keys = try await backend.store.read { try $0.apiKeys(of: app?.id) }
        return Answer(.ok, ["keys": .array(keys.map { .object($0.object(app: app)) })])
    }

    private func revoke(_ call: Call) async throws -> Answer {
        let caller = try call.caller
        let text = try call.parameter("id")
        guard let id = Call.number(text) else { throw EyotError(.keyUnknown, "there is no key \(text)") }
        try await backend.store.write { ledger in
            try APIKeys(ledger: ledger, now: call.now).revoke(id, of: caller.app?.id, by: caller.key)
        }
        return Answer(.noContent, nil)
    }
}

extension APIKey {
    fileprivate func object(app: App?) -> JSONObject {
        var object = JSONObject([
            ("id", .string(String(id))), ("name", .string(name)), ("hint", .string(hint)),
            ("createdAt", .string(createdAt.rfc3339)),
        ])
        if plane != .eyot { object["plane"] = .string(plane.rawValue) }
        object["identifier"] = identifier.map(JSONValue.string)
        object["app"] = app.map { .string($0.bundleID) }
        object["revokedAt"] = revokedAt.map { .string($0.rfc3339) }
        return object
    }
}

extension JSONFields {
    /// The API that a key is for.
    fileprivate mutating func plane(_ name: String) throws(JSONFieldError) -> KeyPlane {
        guard let text = try string(name) else { return .eyot }
        guard let plane = KeyPlane(rawValue: text) else {
            throw invalid(name, "must be one of \(KeyPlane.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return plane
    }
}
