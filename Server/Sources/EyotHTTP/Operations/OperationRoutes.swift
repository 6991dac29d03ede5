import EyotCommands
import EyotContract
import EyotDomain

/// A route for accepted requests, for the record and for polling.
struct OperationRoutes {
    let backend: Backend

    var routes: [Route] { [.get("/v1/operations/{id}", .key(.activitiesRead), read)] }

    private func read(_ call: Call) async throws -> Answer {
        let text = try call.parameter("id")
        // The id is Eyot's number or Airship's UUID.
        guard let id = Call.number(text) ?? OperationUUID.id(in: text) else {
            throw EyotError(.operationUnknown, "there is no operation \(text)")
        }
        let inspect = backend.commands.inspect
        return Answer(.ok, try await inspect.operation(id, of: call.app.id).json)
    }
}

extension OperationReport {
    fileprivate var json: JSONValue {
        var object = operation.object
        object["verb"] = .string(operation.verb.rawValue)
        object["key"] = operation.key.map { .string(String($0)) }
        operation.addRequest(to: &object)
        object["acceptedAt"] = .string(operation.acceptedAt.rfc3339)
        object["state"] = .string(state.rawValue)
        object["completedAt"] = operation.completion.map { .string($0.at.rfc3339) }
        var pushes = JSONObject([
            ("accepted", .integer(counts.accepted)), ("refused", .integer(counts.refused)),
            ("unknown", .integer(counts.unknown)), ("superseded", .integer(counts.superseded)),
        ])
        pushes["broadcasts"] = counts.broadcasts.json
        object["counts"] = .object(pushes)
        object["canary"] = canary?.json
        object["supersededBy"] = supersededBy.map {
            ["generation": .integer($0.generation), "version": .integer($0.version)]
        }
        return .object(object)
    }
}
