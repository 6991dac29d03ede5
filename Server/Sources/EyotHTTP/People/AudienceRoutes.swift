import EyotCommands
import EyotContract
import EyotDomain

/// A route that counts an audience before anything is sent to it.
struct AudienceRoutes {
    let backend: Backend

    var routes: [Route] { [.ask("/v1/audiences/count", .key(.peopleRead), count)] }

    private func count(_ call: Call) async throws -> Answer {
        let app = try call.app.id
        let question = try CountAudience(json: call.json(), app: app, now: call.now)
        let began = backend.clock.now
        var count = AudienceCount()
        while !count.isComplete, count.matched < CountAudience.limit,
            backend.clock.now.seconds(since: began) < CountAudience.longest
        {
            count = try await backend.store.search(of: app) { [count] in try question(count, in: $0) }
        }
        return Answer(.ok, count.json)
    }
}

extension AudienceCount {
    fileprivate var json: JSONValue {
        var object = JSONObject([("matched", .integer(matched)), ("users", .integer(users))])
        if let eligible {
            object["eligible"] = .integer(eligible)
            object["skipped"] = StartFailure.json(of: skipped)
        }
        object["isComplete"] = .bool(isComplete)
        return .object(object)
    }
}
