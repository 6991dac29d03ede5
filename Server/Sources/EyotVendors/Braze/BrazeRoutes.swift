import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP

/// Routes for Braze's two calls for Live Activities.
struct BrazeRoutes {
    /// The most bytes of a body, as with Braze.
    private static let bodyBytes = 4 * 1_024 * 1_024

    let backend: Backend
    /// Whether starts are accepted without a notification, as in Braze's quick start.
    let isLenient: Bool

    var routes: [Route] {
        let plane = BrazePlane()
        return [
            .post("/messages/live_activity/start", on: plane, .key(.activitiesStart), bodyLimit: Self.bodyBytes) {
                try await start($0)
            }
            .unrecorded,
            .post("/messages/live_activity/update", on: plane, .key(.activitiesUpdate), bodyLimit: Self.bodyBytes) {
                try await update($0)
            }
            .unrecorded,
        ]
    }

    private func start(_ call: Call) async throws -> Route.Command {
        let start = try BrazeStart(call, isLenient: isLenient)
        try Self.check(start.appID, call)
        try start.declaration.checkRecipients()
        return try await perform(start.declaration, call)
    }

    private func update(_ call: Call) async throws -> Route.Command {
        let update = try BrazeUpdate(call)
        try Self.check(update.appID, call)
        return try await perform(update.declaration, call)
    }

    private func perform(_ declaration: VendorDeclaration, _ call: Call) async throws -> Route.Command {
        let declare = try await declaration.prepare(backend, call)
        return { Self.answer(try declare($0)) }
    }

    /// Checks that the call's app id belongs to its key.
    private static func check(_ appID: String, _ call: Call) throws {
        guard try call.caller.key.identifier == appID else {
            throw EyotError(.fieldInvalid, "app_id is not the app's of this key", field: "app_id")
        }
    }

    private static func answer(_ declared: VendorDeclared) -> Answer {
        var object = JSONObject([("message", .string("success"))])
        let faults = declared.remarks
        if !faults.isEmpty { object["errors"] = .array(faults.map(JSONValue.string)) }
        var answer = Answer(.created, .object(object))
        answer.name(declared.operation)
        return answer
    }
}

extension VendorDeclaration {
    fileprivate func checkRecipients() throws(EyotError) {
        guard let audience = body.audience else {
            throw EyotError(
                .audienceMissing, "external_user_ids, segment_id or custom_audience has to say for whom it is",
                field: "audience")
        }
        guard case .users(let ids) = audience, ids.count > BrazeAudience.idLimit else { return }
        throw EyotError(
            .tooManyMembers, "external_user_ids has \(ids.count) ids, more than \(BrazeAudience.idLimit)",
            field: "external_user_ids")
    }
}
