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
        let body = try await backend.commands.declaration(
            call.json(), verb, name: call.parameter("name"), of: call.app.id)
        return try await declare(body, match: call.match(), call)
    }

    /// - Parameter longest: how many seconds a dry run counts members that its transaction does not process.
    func declare(
        _ body: DeclarationBody, match: VersionMatch?, _ call: Call, longest: Double = CountAudience.longest
    ) async throws -> Route.Command {
        let request = try call.request()
        guard request.isDryRun else {
            let declare = try await backend.commands.prepare(body, match: match, request)
            return { Self.answer(try declare($0)) }
        }
        let preview = try await backend.commands.preview(body, match: match, longest: longest, request)
        return { Self.answer(try preview($0)) }
    }

    private static func answer(_ preview: Commands.Preview) -> Answer {
        var answer = answer(preview.outcome.operation)
        guard answer.status.kind == .successful else { return answer }
        (answer.status, answer.json) = (.ok, preview.json)
        return answer
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
