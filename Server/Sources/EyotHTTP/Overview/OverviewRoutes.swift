import EyotCommands
import EyotContract
import EyotDomain

/// Routes for operators: what runs, what was declared, and what has a report.
struct OverviewRoutes {
    let backend: Backend

    var routes: [Route] {
        [
            .get("/v1/overview", .key(.activitiesRead), overview),
            .get(
                "/v1/activities/{name}/declarations", .key(.activitiesRead), query: ["limit", "before"], declarations),
            .get("/v1/reports", .key(.activitiesRead), query: ["limit", "before"], reports),
        ]
    }

    private func overview(_ call: Call) async throws -> Answer {
        let overview = try await backend.commands.overview(
            of: call.app, behind: backend.meters.activitiesBehind, lists: backend.running)
        return Answer(.ok, overview.json)
    }

    private func declarations(_ call: Call) async throws -> Answer {
        let limit = try call.limit(default: 20, most: 100)
        let (activity, views) = try await backend.commands.declarations(
            of: call.parameter("name"), in: call.app.id, before: Self.before(call).map(Int.init), limit: limit)
        var object = JSONObject([
            ("name", .string(activity.name)), ("generation", .integer(activity.generation)),
            ("version", .integer(activity.version)), ("declarations", .array(views.map(\.json))),
        ])
        if let last = views.last?.declaration.version, last > 1 { object["next"] = .string(String(last)) }
        return Answer(.ok, .object(object))
    }

    private func reports(_ call: Call) async throws -> Answer {
        let limit = try call.limit(default: 20, most: 100)
        let before = try Self.before(call).map { ActivityID(rawValue: $0) }
        let found = try await backend.commands.reportSubjects(of: call.app.id, before: before, limit: limit + 1)
        let subjects = found.prefix(limit)
        var object = JSONObject([("reports", .array(subjects.map { .object($0.heading) }))])
        if found.count > limit { object["next"] = subjects.last.map { .string(String($0.activity.rawValue)) } }
        return Answer(.ok, .object(object))
    }

    /// `before` in the query; nil if it is missing.
    private static func before(_ call: Call) throws -> Int64? {
        guard let text = call.query["before"] else { return nil }
        guard let number = Call.number(text), number > 0 else {
            throw EyotError(
                .fieldInvalid, "before must be the value of next in the previous answer", field: "before")
        }
        return number
    }
}

extension DeclarationView {
    fileprivate var json: JSONValue {
        let content = declaration.content
        var object = JSONObject([
            ("version", .integer(declaration.version)), ("kind", .string(declaration.kind.rawValue)),
            ("acceptedAt", .string(declaration.acceptedAt.rfc3339)),
        ])
        if case .members(let count) = declaration.scope { object["members"] = .integer(count) }
        object["contentState"] = content.state
        object["attributes"] = declaration.attributes
        object["alert"] = content.alert?.body
        if content.isUrgent { object["urgent"] = true }
        object["asOf"] = declaration.asOf.map { .string($0.rfc3339) }
        object["releasedAt"] = declaration.releasedAt.map { .string($0.rfc3339) }
        object["operation"] = operation.map { .string(String($0.id)) }
        object["verb"] = operation.map { .string($0.verb.rawValue) }
        object["key"] = operation?.key.map { .string(String($0)) }
        object["keyName"] = key.map { .string($0.name) }
        return .object(object)
    }
}

extension KeptReport {
    /// The members that name the subject of a report.
    fileprivate var heading: JSONObject {
        let isEnded = endedAt != nil || keptSince != nil
        var object = JSONObject([
            ("name", .string(name)), ("generation", .integer(generation)), ("version", .integer(version)),
        ])
        object["type"] = type.map(JSONValue.string)
        object["state"] = .string(isEnded ? "ended" : version == 0 ? "undeclared" : "active")
        object["createdAt"] = .string(createdAt.rfc3339)
        object["endedAt"] = endedAt.map { .string($0.rfc3339) }
        object["keptSince"] = keptSince.map { .string($0.rfc3339) }
        return object
    }
}
