import APNSWire
import EyotCommands
import EyotContract
import EyotDomain

/// Routes that restore dead tokens, and import tokens from another service.
struct TokenRoutes {
    let backend: Backend

    var routes: [Route] {
        [
            .post("/v1/tokens/restore", .key(.peopleWrite), restore),
            .bulkLines(
                "/v1/tokens/import", .key(.peopleWrite), bodyLimit: TokenBatch.bodyBytes, query: [Call.dryRun], take),
        ]
    }

    // MARK: Import

    /// Imports tokens in many short transactions. The outcome of a line does not depend on other lines.
    private func take(_ call: Call) async throws -> Answer {
        let (app, isDryRun) = (try call.app.id, try call.isDryRun)
        var batch = try TokenBatch(call.body)
        let unfinished = try await backend.eachPart(of: batch.parts) { part in
            let take: @Sendable (any Ledger) throws -> [TokenBatch.Outcome] = {
                try TokenBatch.apply(part, to: $0, app: app, at: call.now)
            }
            batch.note(try await isDryRun ? backend.store.tryOut(take) : backend.store.write(take))
        }
        if let unfinished { batch.note(unfinished.error, of: unfinished.parts.joined()) }
        var answer = Answer(
            .ok,
            [
                "imported": .integer(batch.counts[.imported] ?? 0),
                "unchanged": .integer(batch.counts[.unchanged] ?? 0),
                "registered": .integer(batch.counts[.registered] ?? 0), "failed": .integer(batch.failed),
                "errors": .array(batch.failures.map(Self.json)),
            ])
        answer.faults = [unfinished?.fault].compactMap(\.self)
        return answer
    }

    private static func json(_ failure: TokenBatch.Failure) -> JSONValue {
        var object = JSONObject([
            ("line", .integer(failure.line)), ("code", .string(failure.error.code.rawValue)),
            ("detail", .string(failure.error.detail)),
        ])
        object["field"] = failure.error.field.map(JSONValue.string)
        return .object(object)
    }

    // MARK: Restoring

    private func restore(_ call: Call) throws -> Route.Command {
        let app = try call.app
        let (selection, reason, cursor) = try call.fields { fields throws(JSONFieldError) in
            (try Self.selection(&fields), try Self.reason(&fields), try Self.cursor(&fields))
        }
        return { ledger in
            var restore = RestoreTokens(Transaction(ledger, at: call.now), app: app.id, reason: reason)
            let result = try restore(selection, after: cursor)
            var object = JSONObject([
                ("updateTokens", .integer(result.updateTokens)), ("startTokens", .integer(result.startTokens)),
            ])
            object["next"] = result.next.map { .string($0.text) }
            return Answer(.ok, .object(object))
        }
    }

    private static func selection(_ fields: inout JSONFields) throws(JSONFieldError) -> RestoreTokens.Selection {
        let (all, device) = (try fields.bool("all") == true, try fields.string("device"))
        let (activity, ordinal) = (try fields.string("activity"), try fields.integer("ordinal"))
        guard [all, device != nil, activity != nil].count(where: \.self) == 1 else {
            throw fields.invalid(
                "all", "cannot be combined with device or activity, and one of the three is required")
        }
        if let device {
            guard let id = Call.number(device) else { throw fields.invalid("device", "must be the id of a device") }
            return .device(DeviceID(rawValue: id))
        }
        guard let activity else { return .app }
        return ordinal.map { .replica(activity, ordinal: $0) } ?? .activity(activity)
    }

    private static func reason(_ fields: inout JSONFields) throws(JSONFieldError) -> APNSReason? {
        guard let name = try fields.string("reason") else { return nil }
        let reason = APNSReason(name: name)
        guard reason.name == name else { throw fields.invalid("reason", "must be a reason in Apple's spelling") }
        return reason
    }

    private static func cursor(_ fields: inout JSONFields) throws(JSONFieldError) -> RestoreTokens.Cursor? {
        guard let text = try fields.string("after") else { return nil }
        guard let cursor = RestoreTokens.Cursor(text: text) else {
            throw fields.invalid("after", "must be the value of next in the previous answer")
        }
        return cursor
    }
}
