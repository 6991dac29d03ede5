import EyotCommands
import EyotContract
import EyotDomain

/// A route that lists an app's channels.
struct ChannelRoutes {
    let backend: Backend

    var routes: [Route] { [.get("/v1/channels", .key(.activitiesRead), query: ["limit", "after"], list)] }

    private func list(_ call: Call) async throws -> Answer {
        let app = try call.app
        let limit = try call.limit()
        let after = ChannelID(rawValue: try call.after())
        let rows = try await backend.store.read { ledger in
            try ledger.channels(in: app.id, after: after, limit: limit + 1).map { channel in
                (channel, try ledger.activity(channel.activity))
            }
        }
        let list = rows.prefix(limit).map { channel, activity in
            var object = JSONObject([("id", .string(String(channel.id.rawValue)))])
            object["activity"] = (activity?.name).map(JSONValue.string)
            object["generation"] = (activity?.generation).map { .integer($0) }
            for member in channel.json.members { object[member.name] = member.value }
            return JSONValue.object(object)
        }
        var object = JSONObject([("channels", .array(list))])
        if rows.count > limit { object["next"] = .string(String(rows[limit - 1].0.id.rawValue)) }
        return Answer(.ok, .object(object))
    }
}

extension Channel {
    /// The state of the channel, without its activity.
    var json: JSONObject {
        var object = JSONObject([
            ("environment", .string(environment.rawValue)), ("state", .string(phase.rawValue)),
        ])
        object["channel"] = (apple?.text).map(JSONValue.string)
        object["acceptedVersion"] = accepted > 0 ? .integer(accepted) : nil
        object["freeAt"] = freeAt.map { .string($0.rfc3339) }
        object["reason"] = (reason?.name).map(JSONValue.string)
        return object
    }
}
