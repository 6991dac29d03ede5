import EyotCommands
import EyotContract
import EyotDomain

/// Routes for proofs of identity: the public keys of the app's backend, and the rules for devices without a proof.
struct IdentityRoutes {
    let backend: Backend

    var routes: [Route] {
        [
            .get("/v1/identity", .key(.appsRead), read),
            .put("/v1/identity/mode", .key(.appsWrite), setMode),
            .put("/v1/identity/terms", .key(.appsWrite), setTerms),
            .put("/v1/identity/keys/{id}", .key(.appsWrite), put),
            .delete("/v1/identity/keys/{id}", .key(.appsWrite), remove),
            .post("/v1/identity/drop-unproven", .key(.peopleWrite), dropUnproven),
            .get("/v1/identity/failures", .key(.appsRead), query: ["limit", "before"], failures),
        ]
    }

    private func read(_ call: Call) async throws -> Answer {
        let app = try call.app
        return try await backend.store.read { try Self.answer(app.id, $0) }
    }

    private static func answer(_ id: AppID, _ ledger: any Ledger) throws -> Answer {
        let app = try ledger.app(id)
        let mode = app?.identityMode
        let failures = try ledger.identityFailures(of: id, before: nil, limit: 1).first?.number ?? 0
        var object = JSONObject([("mode", .string((mode ?? .off).rawValue))])
        // The mode was not set, so the first key changes it.
        if mode == nil { object["isDefault"] = true }
        object["keys"] = .array(try ledger.identityKeys(of: id).map(\.json))
        object["failures"] = .integer(failures)
        object["terms"] = app?.proofTerms.json
        return Answer(.ok, .object(object))
    }

    private func setMode(_ call: Call) throws -> Route.Command {
        let app = try call.app
        let mode = try call.fields { fields throws(JSONFieldError) in
            guard let mode = IdentityMode(rawValue: try fields.required("mode", fields.string("mode"))) else {
                throw fields.invalid("mode", "must be off, report or require")
            }
            return mode
        }
        return { ledger in
            try Identities(Transaction(ledger, at: call.now), app: app.id).set(mode)
            return try Self.answer(app.id, ledger)
        }
    }

    /// Sets the terms. Missing members get their defaults.
    private func setTerms(_ call: Call) throws -> Route.Command {
        let app = try call.app
        let terms = try call.fields { fields throws(JSONFieldError) in
            var terms = ProofTerms()
            terms.issuer = try fields.optionalIdentifier("issuer")
            terms.audience = try fields.optionalIdentifier("audience")
            terms.longestSeconds = try fields.integer("longestSeconds") ?? ProofTerms.usualLongest
            terms.isForOneDevice = try fields.bool("oneDevice") ?? false
            guard (1...ProofTerms.greatestLongest).contains(terms.longestSeconds) else {
                throw fields.invalid("longestSeconds", "must lie between 1 and \(ProofTerms.greatestLongest)")
            }
            return terms
        }
        return { ledger in
            guard let former = try ledger.app(app.id) else { throw EyotError(.appUnknown, "the app was removed") }
            var stored = former
            stored.proofTerms = terms
            try Transaction(ledger, at: call.now).update(stored, from: former)
            return try Self.answer(app.id, ledger)
        }
    }

    private func put(_ call: Call) throws -> Route.Command {
        let (app, id) = (try call.app, try call.parameter("id"))
        let text = try call.fields { fields throws(JSONFieldError) in
            try fields.required("publicKey", fields.string("publicKey"))
        }
        guard let kind = backend.identities.kind(of: text) else {
            throw EyotError(
                .fieldInvalid,
                "publicKey must be the PEM text of an RSA key of at least 2,048 bits or of a P-256 key: BEGIN PUBLIC KEY",
                field: "publicKey")
        }
        return { ledger in
            Answer(.ok, try Identities(Transaction(ledger, at: call.now), app: app.id).put(id, text, kind).json)
        }
    }

    private func remove(_ call: Call) async throws -> Answer {
        let (app, id) = (try call.app, try call.parameter("id"))
        // Checked by reading first, so that a missing key costs no write.
        try await backend.store.read { try Identities(Transaction($0, at: call.now), app: app.id).require(id) }
        try await backend.store.write { try Identities(Transaction($0, at: call.now), app: app.id).remove(id) }
        return Answer(.noContent, nil)
    }

    private func dropUnproven(_ call: Call) throws -> Route.Command {
        let app = try call.app
        let last = try call.fields { fields throws(JSONFieldError) in
            guard let text = try fields.string("after") else { return DeviceID(rawValue: 0) }
            guard let id = Int64(text) else {
                throw fields.invalid("after", "must be the value of next in the previous answer")
            }
            return DeviceID(rawValue: id)
        }
        return { ledger in
            let (dropped, next) = try Identities(Transaction(ledger, at: call.now), app: app.id).dropUnproven(
                after: last)
            var object = JSONObject([("dropped", .integer(dropped))])
            object["next"] = next.map { .string(String($0.rawValue)) }
            return Answer(.ok, .object(object))
        }
    }

    /// Lists failed proofs, newest first.
    private func failures(_ call: Call) async throws -> Answer {
        let (app, limit, before) = (try call.app, try call.limit(), try call.before())
        let rows = try await backend.store.read {
            try $0.identityFailures(of: app.id, before: before, limit: limit + 1)
        }
        var object = JSONObject([("failures", .array(rows.prefix(limit).map(\.json)))])
        if rows.count > limit { object["next"] = .string(String(rows[limit - 1].number)) }
        return Answer(.ok, .object(object))
    }
}

extension IdentityKey {
    fileprivate var json: JSONValue {
        [
            "id": .string(id), "algorithm": .string(kind.rawValue), "publicKey": .string(text),
            "addedAt": .string(addedAt.rfc3339),
        ]
    }
}

extension IdentityFailure {
    fileprivate var json: JSONValue {
        [
            "number": .integer(number), "at": .string(at.rfc3339), "device": .string(String(device.rawValue)),
            "user": .string(user), "reason": .string(fault.rawValue), "reasonCode": .integer(fault.number),
            "isRefused": .bool(isRefused),
        ]
    }
}
