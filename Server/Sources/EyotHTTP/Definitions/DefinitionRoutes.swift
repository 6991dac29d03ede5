import EyotCommands
import EyotContract
import EyotDomain

/// Routes for declarations that are kept under names.
struct DefinitionRoutes {
    let backend: Backend

    var routes: [Route] {
        [
            .put("/v1/definitions/{name}", .key(.definitionsWrite), put),
            .get("/v1/definitions/{name}", .key(.definitionsRead), read),
            .get("/v1/definitions", .key(.definitionsRead), query: ["limit", "after"], list),
            .delete("/v1/definitions/{name}", .key(.definitionsWrite), remove),
        ]
    }

    private func put(_ call: Call) throws -> Route.Command {
        let (app, name, json) = (try call.app.id, try call.parameter("name"), try call.json())
        _ = try DefinitionTemplate(json: json)
        return { Answer(.ok, try PutDefinition(Transaction($0, at: call.now), app: app)(name, json).described) }
    }

    private func read(_ call: Call) async throws -> Answer {
        Answer(.ok, try await backend.commands.definition(call.parameter("name"), of: call.app.id).described)
    }

    private func list(_ call: Call) async throws -> Answer {
        let (app, limit, after) = (try call.app.id, try call.limit(), call.query["after"] ?? "")
        let rows = try await backend.store.read { try $0.definitions(of: app, after: after, limit: limit + 1) }
        var object = JSONObject([("definitions", .array(rows.prefix(limit).map(\.described)))])
        if rows.count > limit { object["next"] = .string(rows[limit - 1].name) }
        return Answer(.ok, .object(object))
    }

    private func remove(_ call: Call) async throws -> Answer {
        let (app, name) = (try call.app.id, try call.parameter("name"))
        return try await backend.remove(
            orThrow: .definitionUnknown(name), where: { try $0.definition(name, in: app) != nil },
            { try $0.removeDefinition(name, of: app) })
    }
}

extension Definition {
    /// The definition with its name and the time of its last change.
    fileprivate var described: JSONValue {
        var object = JSONObject([("name", .string(name))])
        for member in json.object?.members ?? [] { object[member.name] = member.value }
        object["changedAt"] = .string(changedAt.rfc3339)
        return .object(object)
    }
}
