import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// Netmera's calls for Live Activities.
struct NetmeraRoutes {
    let backend: Backend
    /// Takes dates that are misplaced or not in UTC, which Netmera's pages call invalid.
    let isLenient: Bool

    var routes: [Route] {
        let plane = NetmeraPlane()
        return [
            .post("/rest/3.0/sendBulkNotification", on: plane, .key(.activitiesStart)) { try await sendBulk($0) }
                .unrecorded,
            .post("/rest/3.0/update-live-activity", on: plane, .key(.activitiesUpdate)) { try await update($0) }
                .unrecorded,
        ]
    }

    private func sendBulk(_ call: Call) async throws -> Route.Command {
        let start = try NetmeraStart(call)
        return try await perform(start.declaration(at: call.now), call)
    }

    private func update(_ call: Call) async throws -> Route.Command {
        try await perform(NetmeraUpdate(call, isLenient: isLenient).declaration, call)
    }

    private func perform(_ declaration: VendorDeclaration, _ call: Call) async throws -> Route.Command {
        let declare = try await declaration.prepare(backend, call)
        return { ledger in
            let declared = try declare(ledger)
            // They have a number for what is not there.
            guard let operation = declared.operation else {
                throw EyotError(.activityUnknown, declared.absence ?? "there is no such group", field: "groupId")
            }
            return Self.answer(operation, declared.warnings)
        }
    }

    private static func answer(_ operation: Operation, _ warnings: [String]) -> Answer {
        var object = JSONObject([("notificationKey", .integer(Int(operation.id)))])
        let warnings = warnings + operation.warnings
        if !warnings.isEmpty { object["warnings"] = .array(warnings.map(JSONValue.string)) }
        var answer = Answer(.ok, .object(object))
        answer.name(operation)
        return answer
    }
}
