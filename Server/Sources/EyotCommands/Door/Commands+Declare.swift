import EyotContract
import EyotDomain

extension Commands {
    /// Reads a declaration and fills the definition that it names.
    ///
    /// - Throws: `definitionUnknown`, and the errors of ``DeclarationBody``.
    package func declaration(
        _ json: JSONValue, _ verb: DeclarationRequest.Verb, name: String, of app: AppID
    ) async throws -> DeclarationBody {
        var json = json
        if let definition = try FillDefinition.name(in: json) {
            let found = try await self.definition(definition, of: app)
            json = try FillDefinition(DefinitionTemplate(json: found.json), for: verb)(json)
        }
        return try DeclarationBody(json: json, verb: verb, name: name)
    }

    /// - Throws: `definitionUnknown`.
    package func definition(_ name: String, of app: AppID) async throws -> Definition {
        guard let definition = try await store.read({ try $0.definition(name, in: app) }) else {
            throw EyotError.definitionUnknown(name)
        }
        return definition
    }

    /// Finds the devices and replicas of a declaration, and returns the change that declares it.
    ///
    /// - Parameters:
    ///   - match: The version that the caller has seen.
    ///   - isLater: Whether other declarations come before it in the same transaction. Then the devices that those
    ///     start belong to its scope.
    /// - Throws: `keyForbidden` if it would apply to cards of another environment than the key's, and the errors of
    ///   the search.
    package func prepare(
        _ body: DeclarationBody, match: VersionMatch? = nil, isLater: Bool = false, _ request: CommandRequest
    ) async throws -> Change<Operation> {
        let app = try request.caller.requiredApp().id
        let body = try await limited(body, to: request.caller, app, for: .declaration)
        var start = isLater ? try await store.read { try SeriesStart(of: body.name, in: app, $0) } : nil
        let concerned = try await concerned(body, of: app, at: request.now, for: .declaration)
        if isLater, concerned.body.scope != nil {
            start?.scope = try await store.search(of: app, for: .declaration) {
                try FreezeMembers(Transaction($0, at: request.now), app: app).devices(inScopeOf: concerned.body)
            }
        }
        let notable = try AuditEntry(notable: body, request)
        return { [start] ledger in
            if let notable { try ledger.note(notable) }
            let transaction = Transaction(ledger, at: request.now)
            let freeze = FreezeMembers(transaction, app: app)
            let frozen = try start.map { try freeze.adding(since: $0, to: concerned.frozen, of: concerned.body) }
            let operation = try Declare(
                transaction, app: app, frozen: frozen ?? concerned.frozen, leftOut: concerned.leftOut,
                key: request.caller.key.id, request: request.id)(concerned.body, match: match, gone: request.buildsGone)
            if let trace = request.trace { ledger.traced.append(TracedOperation(operation, in: trace)) }
            return operation
        }
    }

    /// Finds the devices and replicas that a declaration applies to. It only reads, so no writer waits for it.
    func concerned(
        _ body: DeclarationBody, of app: AppID, at now: Instant, for purpose: SearchPurpose
    ) async throws -> Concerned {
        guard body.namesMembers || body.leavesOut else { return Concerned(body: body) }
        return try await store.search(of: app, for: purpose) {
            try FindConcerned(Transaction($0, at: now), app: app)(body)
        }
    }

    /// The declaration as the key may make it.
    func limited(
        _ body: DeclarationBody, to caller: Caller, _ app: AppID, for purpose: SearchPurpose
    ) async throws -> DeclarationBody {
        guard let environment = caller.key.environment else { return body }
        let isForOthers = try await store.search(of: app, for: purpose) { ledger in
            guard body.verb == .put, let newest = try ledger.newestActivity(named: body.name, in: app), !newest.isEnded
            else { return false }
            return try !ledger.ordinals(of: newest.id, in: .environment(environment.other), of: app, limit: 1).isEmpty
        }
        guard !isForOthers else {
            throw EyotError(
                .keyForbidden,
                "the key \(caller.key.hint) is limited to \(environment.rawValue), and the PUT would also change cards "
                    + "in \(environment.other.rawValue)")
        }
        return body.limited(to: environment)
    }
}

extension EyotError {
    package static func definitionUnknown(_ name: String) -> EyotError {
        EyotError(.definitionUnknown, "there is no definition \(name)", field: "definition")
    }
}

extension AuditEntry {
    /// Makes the record of a declaration that makes an activity public or starts all devices. Its operation alone does
    /// not say so.
    fileprivate init?(notable body: DeclarationBody, _ request: CommandRequest) throws {
        let words = [
            body.isPublic == true ? "public=true" : nil, body.audience == .all ? "audience=all" : nil,
        ].compactMap(\.self)
        guard !words.isEmpty, !request.isDryRun else { return nil }
        let caller = request.caller
        self.init(
            app: caller.app?.id, at: request.now, key: caller.key.id, hint: caller.key.hint,
            method: body.verb == .put ? "PUT" : "POST", route: "/v1/activities/{name}/\(body.verb.rawValue)",
            subject: (["name=\(body.name)"] + words).joined(separator: " "), status: 202, address: request.address)
    }
}
