import EyotContract
import EyotDomain

extension EventView {
    /// The event as callers see it: a line of `GET /v1/events`, and the data of a webhook's message.
    package var json: JSONValue {
        var object = JSONObject([
            ("id", .string(String(event.id))), ("at", .string(event.at.rfc3339)),
            ("type", .string(event.fact.kind.rawValue)),
        ])
        object["activity"] = activity.map { .string($0.name) }
        object["generation"] = activity.map { .integer($0.generation) }
        object["ordinal"] = event.ordinal.map(JSONValue.integer)
        object["device"] = event.device.map { .string(String($0.rawValue)) }
        object["user"] = user.map(JSONValue.string)
        if event.fact.version > 0 { object["version"] = .integer(event.fact.version) }
        object["reason"] = event.fact.reason.map(JSONValue.string)
        object["text"] = .string(event.fact.kind.meaning)
        return .object(object)
    }
}
