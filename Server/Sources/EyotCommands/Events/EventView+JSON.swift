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
        object["apnsId"] = apnsID.map { .string($0.description) }
        object["tokenFingerprint"] = event.fact.token.map(JSONValue.string)
        object["token"] = token.map { .string($0.hex) }
        object["operation"] = event.operation.map { .string(String($0)) }
        object["counts"] = operation?.conclusion
        if let call = event.call {
            object["requestId"] = .string(call.request.own)
            object["callerRequestId"] = call.request.callers.map(JSONValue.string)
            object["call"] = .string("\(call.method) \(call.route)")
            object["status"] = .integer(call.status)
            object["field"] = call.field.map(JSONValue.string)
            object["key"] = call.key.map { .string(String($0)) }
        }
        object["text"] = .string(event.fact.meaning)
        return .object(object)
    }
}

extension Operation {
    /// What the request came to: devices that got a place and that got none, and Apple's answers meanwhile.
    fileprivate var conclusion: JSONValue {
        let counts = counts(in: nil)
        return [
            "starting": .integer(starting), "skipped": .integer(skipped.values.reduce(0, +)),
            "accepted": .integer(counts.accepted), "refused": .integer(counts.refused),
            "unknown": .integer(counts.unknown), "superseded": .integer(counts.superseded),
        ]
    }
}
