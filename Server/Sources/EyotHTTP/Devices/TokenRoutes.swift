import APNSWire
import EyotCommands
import EyotContract
import EyotDomain

/// Burial can be undone.
struct TokenRoutes {
    var routes: [Route] { [.post("/v1/tokens/restore", .key(.peopleWrite), restore)] }

    private func restore(_ call: Call) throws -> Route.Command {
        let app = try call.app
        let (selection, reason, cursor) = try call.fields { fields throws(JSONFieldError) in
            (try Self.selection(&fields), try Self.reason(&fields), try Self.cursor(&fields))
        }
        return { ledger in
            var restore = RestoreTokens(ledger: ledger, app: app.id, now: call.now, reason: reason)
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
                "all", "or device or activity has to say which tokens are meant, and one of them alone")
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
        guard reason.name == name else { throw fields.invalid("reason", "must be a reason as Apple spells it") }
        return reason
    }

    private static func cursor(_ fields: inout JSONFields) throws(JSONFieldError) -> RestoreTokens.Cursor? {
        guard let text = try fields.string("after") else { return nil }
        guard let cursor = RestoreTokens.Cursor(text: text) else {
            throw fields.invalid("after", "must be what next said")
        }
        return cursor
    }
}
