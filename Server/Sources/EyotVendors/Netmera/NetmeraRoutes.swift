import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// Routes for Netmera's calls for Live Activities.
struct NetmeraRoutes {
    let backend: Backend
    /// Whether dates are accepted that are misplaced or not in UTC. Netmera's documentation calls them invalid.
    let isLenient: Bool

    var routes: [Route] {
        let plane = NetmeraPlane()
        return NetmeraReports(backend: backend).routes + [
            .post("/rest/3.0/createNotificationDefinition", on: plane, .key(.definitionsWrite)) { try define($0) },
            .post("/rest/3.0/sendNotification", on: plane, .key(.activitiesStart)) { try await send($0) }.unrecorded,
            .post("/rest/3.0/sendBulkNotification", on: plane, .key(.activitiesStart)) { try await sendBulk($0) }
                .unrecorded,
            .post("/rest/3.0/update-live-activity", on: plane, .key(.activitiesUpdate)) { try await update($0) }
                .unrecorded,
        ]
    }

    private func sendBulk(_ call: Call) async throws -> Route.Command {
        let start = try NetmeraStart(call, isLenient: isLenient)
        return try await perform(start.declaration(at: call.now), call)
    }

    private func define(_ call: Call) throws -> Route.Command {
        let app = try call.app.id
        let (content, unread) = try call.read { fields throws(JSONFieldError) in
            _ = try fields.isLiveActivity()
            let content = try NetmeraContent(&fields, texts: ["message", "body", "text"], isLenient: isLenient)
            return (content, content.misplaced + fields.unread)
        }
        let template = NetmeraDefinition.template(of: content)
        _ = try DefinitionTemplate(json: template)
        try content.checkSize(at: call.now)
        var warnings = unread.map(VendorDeclaration.ignored)
        if let end = content.endDate, end <= call.now { warnings.append("liveActEndDate has passed: it ends nothing") }
        let remarks = warnings
        return { ledger in
            let key = try NetmeraDefinition.newKey(in: app, ledger)
            _ = try PutDefinition(Transaction(ledger, at: call.now), app: app)(
                NetmeraDefinition.name(of: key), template, makingRoom: true, endingAt: content.endDate)
            return Self.answer(key, remarks)
        }
    }

    /// Sends all requests or none.
    private func send(_ call: Call) async throws -> Route.Command {
        let isArray = try call.json().array != nil
        let app = try call.app.id
        var prepared: [@Sendable (any Ledger) throws -> VendorDeclared] = []
        var outdated: Set<String> = []
        for (index, request) in try NetmeraTransaction.all(in: call, isLenient: isLenient).enumerated() {
            let element = isArray ? CallElement(index: index, names: NetmeraPlane.names) : nil
            let declaration = try await element.awaiting {
                let definition = try await definition(request.key, in: app)
                if let usedAt = definition.usedAt, call.now.seconds(since: usedAt) > Definition.usePrecision {
                    outdated.insert(definition.name)
                }
                return try start(request, of: definition, at: call.now)
            }
            prepared.append(try await declaration.prepare(backend, call, as: element))
        }
        let (declarations, used) = (prepared, outdated)
        return { ledger in
            for name in used { try ledger.noteUse(ofDefinition: name, in: app, at: call.now) }
            let answers = try declarations.map { try Self.answer($0(ledger)) }
            guard isArray else { return answers[0] }
            return Answer(.ok, .array(answers.compactMap(\.json)))
        }
    }

    private func definition(_ key: Int, in app: AppID) async throws -> Definition {
        let name = NetmeraDefinition.name(of: key)
        guard let definition = try await backend.store.read({ try $0.definition(name, in: app) }) else {
            throw EyotError(
                .definitionUnknown, "there is no definition with notificationKey \(key)", field: "notificationKey")
        }
        return definition
    }

    private func start(
        _ request: NetmeraTransaction, of definition: Definition, at now: Instant
    ) throws -> VendorDeclaration {
        var content = try NetmeraDefinition.content(definition)
        content.endDate = request.endDate ?? content.endDate
        guard let group = request.group ?? content.groupID else {
            throw EyotError(.fieldMissing, "message.groupId is missing", field: "message.groupId")
        }
        var start = content.start(group, request.audience, request.unread, at: now)
        start.body.source = definition.name
        return start
    }

    private func update(_ call: Call) async throws -> Route.Command {
        try await perform(NetmeraUpdate(call, isLenient: isLenient).declaration, call)
    }

    private func perform(_ declaration: VendorDeclaration, _ call: Call) async throws -> Route.Command {
        var declaration = declaration
        declaration.body.source = NetmeraReports.source
        let declare = try await declaration.prepare(backend, call)
        return { try Self.answer(declare($0)) }
    }

    private static func answer(_ declared: VendorDeclared) throws -> Answer {
        // Netmera has a number for a missing group.
        guard let operation = declared.operation else {
            throw EyotError(.activityUnknown, declared.absence ?? "there is no such group", field: "groupId")
        }
        var answer = answer(Int(operation.id), declared.remarks)
        answer.name(operation)
        return answer
    }

    private static func answer(_ key: Int, _ warnings: [String]) -> Answer {
        var object = JSONObject([("notificationKey", .integer(key))])
        if !warnings.isEmpty { object["warnings"] = .array(warnings.map(JSONValue.string)) }
        return Answer(.ok, .object(object))
    }
}
