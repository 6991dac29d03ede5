import EyotCommands
import EyotContract
import EyotDomain

/// Routes for segments.
struct SegmentRoutes {
    let backend: Backend

    var routes: [Route] {
        [
            .put("/v1/segments/{name}", .key(.peopleWrite), put),
            .get("/v1/segments/{name}", .key(.peopleRead), read),
            .get("/v1/segments", .key(.peopleRead), query: ["limit", "after"], list),
            .delete("/v1/segments/{name}", .key(.peopleWrite), remove),
        ]
    }

    private func put(_ call: Call) throws -> Route.Command {
        let (app, name) = (try call.app.id, try call.parameter("name"))
        let audience = try call.fields { fields throws(JSONFieldError) in
            try fields.required("audience", fields.value("audience"))
        }
        return { ledger in
            let segment = try PutSegment(Transaction(ledger, at: call.now), app: app)(name, audience: audience)
            return Answer(.ok, segment.json)
        }
    }

    private func read(_ call: Call) async throws -> Answer {
        let (app, name) = (try call.app.id, try call.parameter("name"))
        guard let segment = try await backend.store.read({ try $0.segment(name, in: app) }) else {
            throw Self.unknown(name)
        }
        return Answer(.ok, segment.json)
    }

    private func list(_ call: Call) async throws -> Answer {
        let (app, limit, after) = (try call.app.id, try call.limit(), call.query["after"] ?? "")
        let segments = try await backend.store.read { try $0.segments(in: app, after: after, limit: limit + 1) }
        var object = JSONObject([("segments", .array(segments.prefix(limit).map(\.json)))])
        if segments.count > limit { object["next"] = .string(segments[limit - 1].name) }
        return Answer(.ok, .object(object))
    }

    private func remove(_ call: Call) async throws -> Answer {
        let (app, name) = (try call.app.id, try call.parameter("name"))
        return try await backend.remove(
            orThrow: Self.unknown(name), where: { try $0.segment(name, in: app) != nil },
            { try $0.removeSegment(name, of: app) })
    }

    private static func unknown(_ name: String) -> EyotError {
        EyotError(.segmentUnknown, "there is no segment \(name)")
    }
}

extension Segment {
    fileprivate var json: JSONValue {
        ["name": .string(name), "audience": audience, "updatedAt": .string(updatedAt.rfc3339)]
    }
}
