import EyotCommands
import EyotContract
import EyotDomain

/// Routes that declare what an activity shows.
struct DeclarationRoutes {
    let backend: Backend

    var routes: [Route] {
        // Operations record the key that made them.
        declarations.map(\.unrecorded)
    }

    private var declarations: [Route] {
        [
            .post(
                "/v1/activities/{name}/start", .key(.activitiesStart), bodyLimit: Route.declarationBodyBytes,
                query: [Call.dryRun]
            ) {
                try await declare(.start, $0)
            },
            .post(
                "/v1/activities/{name}/update", .key(.activitiesUpdate), bodyLimit: Route.declarationBodyBytes,
                query: [Call.dryRun]
            ) {
                try await declare(.update, $0)
            },
            .post(
                "/v1/activities/{name}/end", .key(.activitiesUpdate), bodyLimit: Route.declarationBodyBytes,
                query: [Call.dryRun]
            ) {
                try await declare(.end, $0)
            },
            // A put starts missing cards and changes existing ones.
            .put(
                "/v1/activities/{name}", .key(.activitiesStart, .activitiesUpdate),
                bodyLimit: Route.declarationBodyBytes, query: [Call.dryRun]
            ) {
                try await declare(.put, $0)
            },
        ]
    }

    private func declare(_ verb: DeclarationRequest.Verb, _ call: Call) async throws -> Route.Command {
        let body = try await body(call.json(), verb, name: call.parameter("name"), of: call.app)
        return try await declare(body, match: call.match(), call)
    }

    /// Reads a declaration and fills the definition that it names.
    func body(
        _ json: JSONValue, _ verb: DeclarationRequest.Verb, name: String, of app: App
    ) async throws -> DeclarationBody {
        var json = json
        if let definition = try FillDefinition.name(in: json) {
            let found = try await DefinitionRoutes.definition(definition, backend, of: app.id)
            json = try FillDefinition(DefinitionTemplate(json: found.json), for: verb)(json)
        }
        return try DeclarationBody(json: json, verb: verb, name: name)
    }

    /// - Parameter longest: how many seconds a dry run counts members that its transaction does not process.
    func declare(
        _ body: DeclarationBody, match: VersionMatch?, _ call: Call, longest: Double = CountAudience.longest
    ) async throws -> Route.Command {
        if try call.isDryRun {
            return try await TryOutDeclaration(backend: backend, longest: longest)(body, match: match, call)
        }
        let declare = try await backend.prepare(body, of: call.app.id, match: match, call)
        return { Self.answer(try declare($0)) }
    }

    static func answer(_ operation: Operation) -> Answer {
        var answer = Answer(operation.outcome.isTaken ? .accepted : .ok, .object(operation.object))
        var newest: VersionTag?
        if operation.generation > 0 {
            answer.tag(generation: operation.generation, version: operation.version)
            newest = VersionTag(generation: operation.generation, version: operation.version)
        }
        guard operation.outcome == .unmet else { return answer }
        // A failed condition is an error; a late `asOf` is not. The error is an answer instead of a throw, because the
        // record of the operation is kept.
        let found = newest.map { "the activity is at \($0.text)" } ?? "no activity has this name"
        var problem = Problem(EyotError(.superseded, "the condition does not hold: \(found)", field: "If-Match"))
        problem.headers = answer.headers
        return Answer(problem)
    }
}

extension Backend {
    /// Finds the devices and replicas that a declaration applies to. It only reads, so no writer waits for it.
    func concerned(_ body: DeclarationBody, of app: AppID, at now: Instant) async throws -> Concerned {
        guard body.namesMembers || body.leavesOut else { return Concerned(body: body) }
        return try await store.search(of: app) { try FindConcerned(Transaction($0, at: now), app: app)(body) }
    }

    /// Returns the declaration as the call's key may make it.
    ///
    /// - Throws: `keyForbidden` if it would apply to cards of another environment than the key's.
    func limited(_ body: DeclarationBody, _ call: Call) async throws -> DeclarationBody {
        let caller = try call.caller
        guard let environment = caller.key.environment else { return body }
        let app = try caller.requiredApp().id
        let other: PushEnvironment = environment == .sandbox ? .production : .sandbox
        let isForOthers = try await store.search(of: app) { ledger in
            guard body.verb == .put, let newest = try ledger.newestActivity(named: body.name, in: app), !newest.isEnded
            else { return false }
            return try !ledger.ordinals(of: newest.id, in: .environment(other), of: app, limit: 1).isEmpty
        }
        guard !isForOthers else {
            throw EyotError(
                .keyForbidden,
                "the key \(caller.key.hint) is limited to \(environment.rawValue), and the PUT would also change cards "
                    + "in \(other.rawValue)")
        }
        return body.limited(to: environment)
    }

    /// Finds the devices and replicas of a declaration, and returns its command for the call's transaction. Every plane
    /// uses it.
    ///
    /// - Parameter isLater: whether other declarations come before it in the same transaction. Then the devices that
    ///   those start belong to its scope.
    package func prepare(
        _ body: DeclarationBody, of app: AppID, match: VersionMatch? = nil, isLater: Bool = false, _ call: Call
    ) async throws -> @Sendable (any Ledger) throws -> Operation {
        let body = try await limited(body, call)
        var start = isLater ? try await store.read { try SeriesStart(of: body.name, in: app, $0) } : nil
        let concerned = try await concerned(body, of: app, at: call.now)
        if isLater, concerned.body.scope != nil {
            start?.scope = try await store.search(of: app) {
                try FreezeMembers(Transaction($0, at: call.now), app: app).devices(inScopeOf: concerned.body)
            }
        }
        let key = try call.caller.key.id
        let notable = try AuditEntry(notable: body, call)
        return { [start] ledger in
            if let notable { try ledger.note(notable, limit: AuditEntry.limit) }
            let freeze = FreezeMembers(Transaction(ledger, at: call.now), app: app)
            let frozen = try start.map { try freeze.adding(since: $0, to: concerned.frozen, of: concerned.body) }
            return try Declare(
                Transaction(ledger, at: call.now), app: app, frozen: frozen ?? concerned.frozen, key: key)(
                    concerned.body, match: match, gone: call.buildsGone, leftOut: concerned.leftOut)
        }
    }
}

extension AuditEntry {
    /// Makes the record of a declaration that makes an activity public or starts all devices. Its operation alone does
    /// not say so.
    fileprivate init?(notable body: DeclarationBody, _ call: Call) throws {
        let words = [
            body.isPublic == true ? "public=true" : nil, body.audience == .all ? "audience=all" : nil,
        ].compactMap(\.self)
        guard !words.isEmpty, try !call.isDryRun else { return nil }
        let caller = try call.caller
        self.init(
            app: caller.app?.id, at: call.now, key: caller.key.id, hint: caller.key.hint,
            method: call.method.rawValue, route: "/v1/activities/{name}/\(body.verb.rawValue)",
            subject: (["name=\(body.name)"] + words).joined(separator: " "), status: 202,
            address: call.address?.ipAddress)
    }
}

extension Operation {
    /// The members of a call's answer and of its record.
    var object: JSONObject {
        var object = JSONObject([
            ("operation", .string(String(id))), ("name", .string(name)), ("generation", .integer(generation)),
            ("version", .integer(version)), ("outcome", .string(outcome.rawValue)), ("starting", .integer(starting)),
            ("skipped", StartFailure.json(of: skipped)),
        ])
        object["members"] = members.map(JSONValue.integer)
        if pending > 0 { object["untold"] = .integer(pending) }
        object["warnings"] = .array(warnings.map(JSONValue.string))
        return object
    }
}

extension StartFailure {
    /// Returns counts by reason, always in the same order.
    static func json(of counts: [StartFailure: Int]) -> JSONValue {
        .object(
            JSONObject(
                allCases.compactMap { failure in counts[failure].map { (failure.rawValue, .integer($0)) } }))
    }
}
