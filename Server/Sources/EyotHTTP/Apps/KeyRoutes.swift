import EyotCommands
import EyotContract
import EyotDomain

/// Routes for keys of the control plane. They are an app's keys, or the operator's if an operator's call names no app.
struct KeyRoutes {
    let backend: Backend
    let vendors: [Vendor]

    var routes: [Route] {
        [
            .post("/v1/keys", .key(.keysWrite), create),
            .get("/v1/keys", .key(.keysRead), list),
            .delete("/v1/keys/{id}", .key(.keysWrite), revoke),
            .post("/v1/keys/{id}/rotate", .key(.keysWrite), rotate),
        ]
    }

    private func create(_ call: Call) throws -> Route.Command {
        let caller = try call.caller
        let app = caller.app
        let wanted = try call.fields { fields throws(JSONFieldError) in
            try Wanted(&fields, vendors, backend.identities)
        }
        let (rules, identifier) = (wanted.rules, wanted.identifier)
        if let identifier { try FieldRule.name.check(identifier, field: "identifier") }
        let made = Keyring.make(by: rules)
        return { ledger in
            let isShared = rules.identifier?.isShared == true
            let known = try isShared ? ledger.apiKeys(of: app?.id).last { $0.plane == rules.plane } : nil
            // A key without stated scopes gets those of its maker.
            var key = APIKeys.Wanted(
                name: wanted.name, plane: rules.plane,
                identifier: identifier ?? known?.identifier ?? rules.identifier?.make(), publicKey: wanted.publicKey)
            (key.scopes, key.expiresAt, key.reach) = (
                wanted.scopes ?? caller.key.scopes, wanted.expiresAt, wanted.reach
            )
            let created = try APIKeys(Transaction(ledger, at: call.now))
                .create(key, of: app?.id, secret: made, by: caller.key)
            return Self.answer(created, made, app)
        }
    }

    private func rotate(_ call: Call) throws -> Route.Command {
        let caller = try call.caller
        let app = caller.app
        let id = try Self.id(call)
        let overlap = try call.fields { fields throws(JSONFieldError) in
            let overlap = try fields.integer("overlapSeconds") ?? APIKeys.usualOverlap
            guard (0...APIKeys.longestOverlap).contains(overlap) else {
                throw fields.invalid("overlapSeconds", "must lie between 0 and \(APIKeys.longestOverlap)")
            }
            return overlap
        }
        return { ledger in
            let (new, secret, old) = try APIKeys(Transaction(ledger, at: call.now)).rotate(
                id, of: app?.id, overlap: overlap, by: caller.key
            ) { Keyring.make(by: vendors.rules(of: $0) ?? .own) }
            var answer = Self.answer(new, secret, app)
            answer.add("replaces", .object(old.object(app: app)))
            return answer
        }
    }

    private static func answer(_ key: APIKey, _ secret: Keyring.NewSecret, _ app: App?) -> Answer {
        var object = key.object(app: app)
        object["key"] = .string(secret.secret.text)
        var answer = Answer(.created, .object(object))
        answer.made = "made=\(key.id)"
        answer.repetition = EyotError(
            .answerNotKept, "the first call created key \(key.id), \(key.hint), which is shown only once")
        return answer
    }

    private static func id(_ call: Call) throws -> Int64 {
        let text = try call.parameter("id")
        guard let id = Call.number(text) else { throw EyotError(.keyUnknown, "there is no key \(text)") }
        return id
    }

    private func list(_ call: Call) async throws -> Answer {
        let app = try call.caller.app
        let keys = try await backend.store.read { try $0.apiKeys(of: app?.id) }
        return Answer(.ok, ["keys": .array(keys.map { .object($0.object(app: app)) })])
    }

    private func revoke(_ call: Call) async throws -> Answer {
        let caller = try call.caller
        let id = try Self.id(call)
        // Checked by reading first, so that a missing key costs no write.
        try await backend.store.read { try APIKeys(Transaction($0, at: call.now)).require(id, of: caller.app?.id) }
        try await backend.store.write { ledger in
            try APIKeys(Transaction(ledger, at: call.now)).revoke(id, of: caller.app?.id, by: caller.key)
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
        object["publicKey"] = publicKey.map(JSONValue.string)
        object["app"] = app.map { .string($0.bundleID) }
        object["scopes"] = scopes.map { .array($0.map(\.rawValue).sorted().map(JSONValue.string)) }
        object["addresses"] = addresses.map { .array($0.map(JSONValue.string)) }
        object["environment"] = environment.map { .string($0.rawValue) }
        object["expiresAt"] = expiresAt.map { .string($0.rfc3339) }
        object["lastUsedAt"] = lastUsedAt.map { .string($0.rfc3339) }
        object["revokedAt"] = revokedAt.map { .string($0.rfc3339) }
        return object
    }
}
