import EyotCommands
import EyotContract
import EyotDomain

/// Routes for profiles of types, which hold the spacing and the defaults of their cards.
struct TypeRoutes {
    let backend: Backend

    var routes: [Route] {
        [
            .put("/v1/types/{type}/profile", .key(.typesWrite), put),
            .get("/v1/types/{type}/profile", .key(.typesRead), read),
        ]
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

extension TypeProfile {
    fileprivate var json: JSONValue {
        var object = JSONObject([("type", .string(type)), ("updateSpacing", .integer(spacing))])
        object["updateSpacingWithoutFrequentPushes"] = .integer(sparingSpacing ?? spacing)
        object["startsPerHour"] = .integer(startsPerHour)
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
