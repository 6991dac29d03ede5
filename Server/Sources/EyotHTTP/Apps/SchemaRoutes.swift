import EyotCommands
import EyotContract
import EyotDomain

/// Routes for the schemas of types, by builds of the app.
struct SchemaRoutes {
    let backend: Backend

    var routes: [Route] {
        [
            .put("/v1/types/{type}/schemas", .key(.typesWrite), push),
            .get("/v1/types/{type}/schemas", .key(.typesRead), list),
            .delete("/v1/types/{type}/schemas", .key(.typesWrite)) {
                try await remove($0, build: TypeSchema.everyOtherBuild)
            },
            .delete("/v1/types/{type}/schemas/{build}", .key(.typesWrite)) {
                try await remove($0, build: $0.parameter("build"))
            },
        ]
    }

    private func push(_ call: Call) throws -> Route.Command {
        let (app, type) = (try call.app.id, try call.type())
        let (json, builds) = try call.fields { fields throws(JSONFieldError) in
            (try fields.required("schema", fields.object("schema")), try fields.strings("builds") ?? [])
        }
        for (index, build) in builds.enumerated() { try FieldRule.identifier.check(build, field: "builds[\(index)]") }
        let schema: ActivitySchema
        do {
            schema = try ActivitySchema(json: json, type: type)
        } catch {
            var error = error
            error.path = error.path.isEmpty ? "schema" : "schema.\(error.path)"
            throw EyotError(error)
        }
        return { ledger in
            let difference = try PushSchema(Transaction(ledger, at: call.now), app: app)(schema, builds: builds)
            var object = JSONObject([("type", .string(type)), ("builds", .array(builds.map(JSONValue.string)))])
            for member in difference.json.object?.members ?? [] { object[member.name] = member.value }
            return Answer(.ok, .object(object))
        }
    }

    private func list(_ call: Call) async throws -> Answer {
        let (app, type) = (try call.app.id, try call.type())
        let schemas = try await backend.store.read { try $0.schemas(of: type, in: app) }
        return Answer(.ok, ["type": .string(type), "schemas": .array(try schemas.map { try $0.json() })])
    }

    private func remove(_ call: Call, build: String) async throws -> Answer {
        let (app, type) = (try call.app.id, try call.type())
        let unknown = EyotError(
            .schemaUnknown, "\(type) has no schema for \(build.isEmpty ? "every other build" : "build \(build)")")
        return try await backend.remove(
            orThrow: unknown, where: { try $0.schema(of: type, build: build, in: app) != nil },
            { try $0.removeSchema(of: type, build: build, in: app) })
    }
}

extension TypeSchema {
    fileprivate func json() throws -> JSONValue {
        var object = JSONObject()
        if build != Self.everyOtherBuild { object["build"] = .string(build) }
        object["pushedAt"] = .string(pushedAt.rfc3339)
        object["schema"] = try JSONValue(parsing: json)
        return .object(object)
    }
}
