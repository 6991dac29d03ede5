import EyotCommands
import EyotContract
import EyotDomain

/// Routes for apps and their APNs keys.
struct AppRoutes {
    let backend: Backend

    var routes: [Route] {
        [
            .post("/v1/apps", .operatorKey(.appsWrite), create),
            .get("/v1/apps", .key(.appsRead), list),
            .get("/v1/apps/{bundleID}", .key(.appsRead), read),
            .put("/v1/apps/{bundleID}/privacy", .key(.appsWrite), setPrivacy),
            .post("/v1/apps/{bundleID}/halt", .key(.activitiesHalt), bodyLimit: nil, halt),
            .post("/v1/apps/{bundleID}/resume", .key(.activitiesHalt), bodyLimit: nil, resume),
            .get("/v1/apps/{bundleID}/apns-keys", .key(.appsRead), apnsKeys),
            .put("/v1/apps/{bundleID}/apns-keys/{environment}", .key(.appsWrite), putAPNSKey),
        ]
    }

    private func create(_ call: Call) throws -> Route.Command {
        let (bundleID, name, opens) = try call.fields { fields throws(JSONFieldError) in
            (
                try fields.required("bundleID", fields.string("bundleID")),
                try fields.required("name", fields.string("name")), try Self.opensActivities(&fields) ?? false
            )
        }
        let appKey = Keyring.make(.appKey)
        let apiKey = Keyring.make(.apiKey)
        return { ledger in
            let created = try CreateApp(Transaction(ledger, at: call.now))(
                bundleID: bundleID, name: name, appKey: appKey, apiKey: apiKey, opensActivities: opens)
            var answer = Answer(
                .created,
                [
                    "bundleID": .string(created.app.bundleID), "name": .string(created.app.name),
                    "appKey": .string(created.app.publicKey), "apiKey": .string(created.apiKey.text),
                ])
            answer.made = "made=\(bundleID)"
            answer.repetition = EyotError(
                .answerNotKept, "the first call created app \(bundleID), and its first key is shown only once")
            return answer
        }
    }

    /// Lists all apps for the operator, and its own app for an app's key.
    private func list(_ call: Call) async throws -> Answer {
        let caller = try call.caller
        let rows = try await backend.store.read { ledger in
            try (caller.app.map { [$0] } ?? ledger.apps()).map { ($0, try ledger.apnsKeys(of: $0.id)) }
        }
        return Answer(.ok, ["apps": .array(rows.map { .object($0.0.object(keys: $0.1)) })])
    }

    /// Sets whether activities are open to all devices by default, and which traits devices may set themselves.
    private func setPrivacy(_ call: Call) throws -> Route.Command {
        let app = try call.app
        let (opens, names) = try call.fields { fields throws(JSONFieldError) in
            let (opens, names) = (try Self.opensActivities(&fields), try Self.openNames(&fields))
            guard opens != nil || names != nil else {
                throw fields.invalid("activities", "is missing, and so is openNames")
            }
            return (opens, names)
        }
        return { ledger in
            guard let former = try ledger.app(app.id) else { throw EyotError(.appUnknown, "the app was removed") }
            var stored = former
            if let opens { stored.opensActivities = opens }
            if let names { stored.openNames = names }
            try Transaction(ledger, at: call.now).update(stored, from: former)
            return try Self.answer(stored, ledger)
        }
    }

    private static func opensActivities(_ fields: inout JSONFields) throws(JSONFieldError) -> Bool? {
        switch try fields.string("activities") {
        case nil: return nil
        case "public": return true
        case "private": return false
        default: throw fields.invalid("activities", "must be public or private")
        }
    }

    /// Reads the names, which replace all earlier ones.
    private static func openNames(_ fields: inout JSONFields) throws(JSONFieldError) -> Set<TraitName>? {
        guard var inner = try fields.fields("openNames") else { return nil }
        var names: Set<TraitName> = []
        for (member, make) in [("tags", TraitName.tag), ("attributes", TraitName.attribute)] {
            for (index, text) in (try inner.strings(member) ?? []).enumerated() {
                guard DeviceLimits.isIdentifier(text) else {
                    throw inner.invalid(
                        "\(member)[\(index)]", "must have 1 to \(DeviceLimits.identifierBytes) bytes and no NUL")
                }
                names.insert(make(text))
            }
        }
        guard names.count <= App.openNameLimit else {
            throw inner.invalid("tags", "and attributes must have at most \(App.openNameLimit) names together")
        }
        try inner.finish()
        return names
    }

    private func halt(_ call: Call) throws -> Route.Command {
        let app = try call.app
        return { try Self.answer(SetHalt(Transaction($0, at: call.now)).halt(app: app.id), $0) }
    }

    private func resume(_ call: Call) async throws -> Route.Command {
        let app = try call.app
        while try await backend.store.write({ try ResumeApp(Transaction($0, at: call.now)).prepare(app.id) }) {}
        return { try Self.answer(ResumeApp(Transaction($0, at: call.now))(app.id), $0) }
    }

    private func read(_ call: Call) async throws -> Answer {
        let app = try call.app
        return try await backend.store.read { try Self.answer(app, $0) }
    }

    static func answer(_ app: App, _ ledger: any Ledger) throws -> Answer {
        var object = app.object(keys: try ledger.apnsKeys(of: app.id))
        object["formerAppKeys"] = .array(try ledger.formerAppKeys(of: app.id).map(\.json))
        object["usage"] = try ledger.usage(of: app.id).json
        return Answer(.ok, .object(object))
    }

    private func apnsKeys(_ call: Call) async throws -> Answer {
        let app = try call.app
        let keys = try await backend.store.read { try $0.apnsKeys(of: app.id) }
        return Answer(.ok, ["apnsKeys": .array(keys.map(\.json))])
    }

    private func putAPNSKey(_ call: Call) throws -> Route.Command {
        let app = try call.app
        guard let environment = PushEnvironment(rawValue: try call.parameter("environment")) else {
            throw EyotError(.fieldInvalid, "environment must be sandbox or production", field: "environment")
        }
        let (teamID, keyID, privateKey) = try call.fields { fields throws(JSONFieldError) in
            (
                try fields.required("teamID", fields.string("teamID")),
                try fields.required("keyID", fields.string("keyID")),
                try fields.required("privateKey", fields.string("privateKey"))
            )
        }
        let key = try NewAPNSKey(
            teamID: teamID, keyID: keyID, privateKey: privateKey, check: backend.checkAPNSKey)
        let sealer = backend.sealer
        return { ledger in
            let put = PutAPNSKey(Transaction(ledger, at: call.now), sealer: sealer)
            return Answer(.ok, try put(key, of: app.id, environment).json)
        }
    }
}

extension App {
    fileprivate func object(keys: [APNSKey]) -> JSONObject {
        var object = JSONObject([
            ("bundleID", .string(bundleID)), ("name", .string(name)), ("appKey", .string(publicKey)),
            ("apnsKeys", .array(keys.map(\.json))), ("createdAt", .string(createdAt.rfc3339)),
        ])
        object["activities"] = .string(opensActivities ? "public" : "private")
        if !openNames.isEmpty { object["openNames"] = openNames.json }
        if !pauses.isEmpty {
            object["pauses"] = .object(
                JSONObject(
                    PushEnvironment.allCases.compactMap { one in
                        pauses[one].map { (one.rawValue, $0.json(nextTrial: nextTrial(in: one))) }
                    }))
        }
        object["haltedSince"] = haltedAt.map { .string($0.rfc3339) }
        object["haltedTypes"] = .array(haltedTypes.keys.sorted().map(JSONValue.string))
        return object
    }
}

extension AppPause {
    /// - Parameter nextTrial: nil if an operator has halted the app.
    fileprivate func json(nextTrial: Instant?) -> JSONValue {
        var object = JSONObject([
            ("reason", .string(reason.name)), ("meaning", .string(meaning)), ("since", .string(since.rfc3339)),
        ])
        object["nextTrialAt"] = nextTrial.map { .string($0.rfc3339) }
        return .object(object)
    }
}

extension APNSKey {
    /// The private part is never shown.
    fileprivate var json: JSONValue {
        [
            "environment": .string(environment.rawValue), "teamID": .string(teamID), "keyID": .string(keyID),
            "masterKey": .string(sealed.masterKeyID), "addedAt": .string(addedAt.rfc3339),
        ]
    }
}

extension FormerAppKey {
    fileprivate var json: JSONValue { ["appKey": .string(text), "until": .string(until.rfc3339)] }
}

extension AppUsage {
    fileprivate var json: JSONValue {
        [
            "devices": .integer(devices), "openedNames": .integer(openedNames),
            "refusedNames": .integer(refusedNames),
        ]
    }
}
