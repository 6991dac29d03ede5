import APNSWire
import EyotCommands
import EyotContract
import EyotDomain

extension Commands.Preview {
    /// The answer of a dry run.
    var json: JSONValue {
        var object = outcome.operation.object
        object["operation"] = nil
        object["dryRun"] = true
        if let cards {
            object["cards"] = .object(JSONObject(Replica.words.map { ($0, .integer(cards[$0] ?? 0)) }))
        }
        object["pushes"] = .array(outcome.pushes.map(\.json))
        object["schemas"] = .array(schemas.map(\.json))
        return .object(object)
    }
}

extension PlannedPush {
    /// A second of ten digits, so that the size is right. It is never sent.
    private static let someSecond = 1_000_000_000

    fileprivate var json: JSONValue {
        let body = template.body(timestamp: Self.someSecond)
        var headers = JSONObject([
            (APNSHeader.pushType, .string(template.pushType.rawValue)),
            (APNSHeader.priority, .string(String(template.priority.rawValue))),
        ])
        if recipients == .tokens { headers[APNSHeader.topic] = .string(template.topic) }
        headers[APNSHeader.expiration] = template.expiration.map { .string(String($0)) }
        headers[APNSHeader.collapseID] = template.collapseID.map(JSONValue.string)
        // The body was rendered from JSON, so it can be parsed.
        let payload = (try? JSONValue(parsing: body)) ?? .null
        let limit = recipients == .tokens ? APNSLimits.payloadBytes : APNSLimits.broadcastPayloadBytes
        var object = JSONObject([
            ("event", .string(event.rawValue)), ("to", recipients == .tokens ? "token" : "channel"),
        ])
        object["language"] = language.map(JSONValue.string)
        object["headers"] = .object(headers)
        object["payload"] = payload
        object["bytes"] = .integer(body.count)
        object["limit"] = .integer(limit)
        object["setWhenSent"] = .array(Self.setWhenSent)
        return .object(object)
    }

    /// The fields that are only known when the push is sent.
    private static let setWhenSent: [JSONValue] = ["aps.timestamp"]
}

extension SchemaVerdicts.Verdict {
    fileprivate var json: JSONValue {
        var object = JSONObject([("build", .string(build)), ("verdict", .string(word.rawValue))])
        object["reason"] = reason.map(JSONValue.string)
        return .object(object)
    }
}
