import EyotCommands
import EyotContract
import EyotDomain

/// Devices, as a backend sees them.
struct DeviceListRoutes {
    let backend: Backend

    var routes: [Route] {
        [.get("/v1/devices", .key(.peopleRead), query: ["limit", "after", "user", "tag"], list)]
    }

    private func list(_ call: Call) async throws -> Answer {
        let app = try call.app
        let limit = try call.limit()
        let after = DeviceID(rawValue: try call.after())
        let filters = [call.query["user"].map { Audience.user($0) }, call.query["tag"].map { Audience.tag($0) }]
            .compactMap(\.self)
        let audience = filters.isEmpty ? Audience.all : .and(filters)
        let rows = try await backend.store.read { ledger in
            try ledger.devices(in: audience, of: app.id, after: after, limit: limit + 1)
                .map { ($0, try ledger.startTokens(of: $0.id), try ledger.deviceProfile(of: $0.id)) }
        }
        let list = rows.prefix(limit).map { $0.json(startTokens: $1, profile: $2) }
        var object = JSONObject([("devices", .array(list))])
        if rows.count > limit { object["next"] = .string(String(rows[limit - 1].0.id.rawValue)) }
        return Answer(.ok, .object(object))
    }
}

extension Device {
    fileprivate func json(startTokens: [StartToken], profile: DeviceProfile) -> JSONValue {
        var object = JSONObject([("id", .string(String(id.rawValue)))])
        object["user"] = user.map(JSONValue.string)
        object["environment"] = .string(environment.rawValue)
        object["osVersion"] = .string(osVersion.text)
        object["appVersion"] = .string(appVersion)
        object["permissions"] = permissions.json
        for (name, value) in profile.members { object[name] = value }
        object["startTokens"] = .array(startTokens.map(\.json))
        object["createdAt"] = .string(createdAt.rfc3339)
        object["seenAt"] = .string(seenAt.rfc3339)
        return .object(object)
    }
}

extension StartToken {
    fileprivate var json: JSONValue {
        var object = JSONObject([
            ("type", .string(type)), ("token", .string(token.description)),
            ("environment", .string(environment.rawValue)), ("setAt", .string(setAt.rfc3339)),
        ])
        object["death"] = death?.json
        return .object(object)
    }
}

extension TokenDeath {
    /// Why a token is not used, in Apple's word and in ours.
    var json: JSONValue {
        [
            "reason": .string(reason.name), "meaning": .string(reason.meaning), "isQuarantine": .bool(isQuarantine),
        ]
    }
}
