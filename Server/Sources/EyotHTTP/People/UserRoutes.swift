import EyotCommands
import EyotContract
import EyotDomain

/// Routes for users, under the customer's ids.
struct UserRoutes {
    let backend: Backend

    var routes: [Route] {
        [
            .put("/v1/users/{externalID}", .key(.peopleWrite)) { try change($0, .replace) },
            .patch("/v1/users/{externalID}", .key(.peopleWrite)) { try change($0, .merge) },
            .get("/v1/users/{externalID}", .key(.peopleRead), read),
            .get("/v1/users", .key(.peopleRead), query: ["limit", "after"], list),
            .peopleBatch("/v1/users/bulk", of: .users, backend),
        ]
    }

    private func change(_ call: Call, _ mode: TraitsChange.Mode) throws -> Route.Command {
        let app = try call.app
        let externalID = try call.parameter("externalID")
        let change = try call.fields { fields throws(JSONFieldError) in
            try UserChange(externalID, fields: &fields, mode)
        }
        // An empty merge is a mistake. A user without traits is allowed.
        guard mode == .replace || !change.isEmpty else { throw Self.nothingSaid }
        return { Answer(.ok, try ChangeUser(ledger: $0, app: app.id)(change).json) }
    }

    private static let nothingSaid = EyotError(
        .fieldMissing, "tags, tagGroups, attributes and aliases are missing: send at least one", field: "tags")

    private func read(_ call: Call) async throws -> Answer {
        let app = try call.app
        let externalID = try call.parameter("externalID")
        guard let user = try await backend.store.read({ try $0.user(externalID, in: app.id) }) else {
            throw EyotError.userUnknown(externalID)
        }
        return Answer(.ok, user.json)
    }

    private func list(_ call: Call) async throws -> Answer {
        let (app, limit, after) = (try call.app.id, try call.limit(), call.query["after"] ?? "")
        let users = try await backend.store.read { try $0.users(in: app, after: after, limit: limit + 1) }
        var object = JSONObject([("users", .array(users.prefix(limit).map(\.json)))])
        if users.count > limit { object["next"] = .string(users[limit - 1].externalID) }
        return Answer(.ok, .object(object))
    }
}

extension User {
    var json: JSONValue {
        var object = JSONObject([("externalID", .string(externalID))])
        for (name, value) in traits.members { object[name] = value }
        object["aliases"] = .object(
            JSONObject(aliases.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.string($0.value)) }))
        return .object(object)
    }
}

extension Traits {
    /// The traits in sorted order, so that equal traits have equal text.
    var members: [(String, JSONValue)] {
        func list(_ tags: Set<String>) -> JSONValue { .array(tags.sorted().map(JSONValue.string)) }
        let groups = tagGroups.sorted { $0.key < $1.key }.map { ($0.key, list($0.value)) }
        let attributes = attributes.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) }
        return [
            ("tags", list(tags)), ("tagGroups", .object(JSONObject(groups))),
            ("attributes", .object(JSONObject(attributes))),
        ]
    }
}
