import EyotCommands
import EyotContract
import EyotDomain

/// Routes for the types of an app, and for their profiles, which hold the spacing and the defaults of their cards.
struct TypeRoutes {
    let backend: Backend

    var routes: [Route] {
        [
            .get("/v1/types", .key(.typesRead), query: ["limit", "after"], list),
            .put("/v1/types/{type}/profile", .key(.typesWrite), put),
            .get("/v1/types/{type}/profile", .key(.typesRead), read),
        ]
    }

    private func list(_ call: Call) async throws -> Answer {
        let (app, limit, after) = (try call.app, try call.limit(), call.query["after"] ?? "")
        let types = try await backend.commands.types(of: app, after: after, limit: limit + 1)
        var object = JSONObject([
            ("types", .array(types.prefix(limit).map { $0.json(haltedSince: app.haltedTypes[$0.name]) }))
        ])
        if types.count > limit { object["next"] = .string(types[limit - 1].name) }
        return Answer(.ok, .object(object))
    }

    /// Replaces a profile. Missing members get their defaults.
    private func put(_ call: Call) throws -> Route.Command {
        var profile = TypeProfile(app: try call.app.id, type: try call.type())
        try call.fields { fields throws(JSONFieldError) in
            let seconds = 0...TypeProfile.spacingLimit
            profile.spacing = try fields.integer("updateSpacing", within: seconds) ?? profile.spacing
            profile.sparingSpacing = try fields.integer("updateSpacingWithoutFrequentPushes", within: seconds)
            profile.startsPerHour =
                try fields.integer("startsPerHour", within: 0...TypeProfile.startLimit) ?? profile.startsPerHour
            profile.restartAfter =
                try fields.integer("restartAfter", within: 0...TypeProfile.restartAfterLimit) ?? profile.restartAfter
            profile.staleAfter = try fields.integer("staleAfter", within: 1...TypeProfile.staleAfterLimit)
            profile.relevanceScore = try fields.double("relevanceScore")
        }
        let stored = profile
        return { ledger in
            try ledger.put(stored)
            return Answer(.ok, stored.json)
        }
    }

    private func read(_ call: Call) async throws -> Answer {
        let (app, type) = (try call.app.id, try call.type())
        return Answer(.ok, try await backend.store.read { try $0.effectiveProfile(of: type, in: app) }.json)
    }
}

extension KnownType {
    fileprivate func json(haltedSince moment: Instant?) -> JSONValue {
        var object = JSONObject([
            ("type", .string(name)), ("schemas", .integer(schemas)), ("hasProfile", .bool(hasProfile)),
            ("isCounted", .bool(isCounted)),
        ])
        object["haltedSince"] = moment.map { .string($0.rfc3339) }
        return .object(object)
    }
}

extension TypeProfile {
    fileprivate var json: JSONValue {
        var object = JSONObject([("type", .string(type)), ("updateSpacing", .integer(spacing))])
        object["updateSpacingWithoutFrequentPushes"] = .integer(sparingSpacing ?? spacing)
        object["startsPerHour"] = .integer(startsPerHour)
        object["restartAfter"] = .integer(restartAfter)
        if let staleAfter { object["staleAfter"] = .integer(staleAfter) }
        if let relevanceScore { object["relevanceScore"] = .number("\(relevanceScore)") }
        return .object(object)
    }
}

extension JSONFields {
    fileprivate mutating func integer(
        _ name: String, within range: ClosedRange<Int>
    ) throws(JSONFieldError) -> Int? {
        guard let number = try integer(name) else { return nil }
        guard range.contains(number) else {
            throw invalid(name, "must lie between \(range.lowerBound) and \(range.upperBound)")
        }
        return number
    }
}
