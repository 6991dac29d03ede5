import EyotCommands
import EyotContract
import EyotDomain

/// People, by the customer's ids.
struct UserRoutes {
    let backend: Backend

    var routes: [Route] {
        [
            .put("/v1/users/{externalID}", .key(.peopleWrite), put),
            .get("/v1/users/{externalID}", .key(.peopleRead), read),
        ]
    }

    private func put(_ call: Call) throws -> Route.Command {
        let app = try call.app
        let externalID = try call.parameter("externalID")
        let tags = try call.fields { fields throws(JSONFieldError) in
            try fields.required("tags", fields.strings("tags"))
        }
        return { Answer(.ok, try PutUser(ledger: $0)(externalID, tags: tags, of: app.id).json) }
    }

    private func read(_ call: Call) async throws -> Answer {
        let app = try call.app
        let externalID = try call.parameter("externalID")
        guard let user = try await backend.store.read({ try $0.user(externalID, in: app.id) }) else {
            throw EyotError(.userUnknown, "there is no user \(externalID)")
        }
        return Answer(.ok, user.json)
    }
}

extension User {
    fileprivate var json: JSONValue {
        ["externalID": .string(externalID), "tags": .array(tags.sorted().map(JSONValue.string))]
    }
}
