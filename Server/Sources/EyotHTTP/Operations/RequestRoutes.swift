import EyotCommands
import EyotContract
import EyotDomain

/// The route that finds what became of a request by its id.
struct RequestRoutes {
    let backend: Backend

    var routes: [Route] { [.get("/v1/requests/{id}", .key(.activitiesRead), read)] }

    private func read(_ call: Call) async throws -> Answer {
        let report = try await backend.commands.request(call.parameter("id"), of: call.app.id)
        return Answer(
            .ok,
            [
                "operations": .array(report.operations.map { .object($0.found) }),
                "refused": .array(report.refused.map(\.json)),
            ])
    }
}

extension Operation {
    /// The members of an operation that was found by its request.
    fileprivate var found: JSONObject {
        var object = object
        object["acceptedAt"] = .string(acceptedAt.rfc3339)
        addRequest(to: &object)
        return object
    }

    /// Adds the ids of the call that made it.
    func addRequest(to object: inout JSONObject) {
        object["requestId"] = request.map { .string($0.own) }
        object["callerRequestId"] = request?.callers.map(JSONValue.string)
    }
}
