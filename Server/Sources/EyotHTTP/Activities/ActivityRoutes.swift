import EyotCommands
import EyotContract
import EyotDomain

/// Routes that report the state of activities and their replicas.
struct ActivityRoutes {
    let backend: Backend

    var routes: [Route] {
        [
            .get("/v1/activities", .key(.activitiesRead), query: ["limit", "after"], list),
            .get("/v1/activities/{name}", .key(.activitiesRead), read),
            .get("/v1/activities/{name}/replicas", .key(.activitiesRead), query: ["limit", "after"], replicas),
        ]
    }

    private var inspect: InspectActivity { backend.commands.inspect }

    private func list(_ call: Call) async throws -> Answer {
        let app = try call.app
        // Each activity comes with its counts, so a page is short.
        let limit = try call.limit(default: 20, most: 100)
        let (reports, hasMore) = try await inspect.reports(after: call.query["after"] ?? "", limit: limit, of: app.id)
        var object = JSONObject([("activities", .array(reports.map(\.json)))])
        if hasMore, let last = reports.last { object["next"] = .string(last.activity.name) }
        return Answer(.ok, .object(object))
    }

    private func read(_ call: Call) async throws -> Answer {
        let report = try await inspect.report(on: call.parameter("name"), of: call.app.id)
        var answer = Answer(.ok, report.json)
        answer.tag(generation: report.activity.generation, version: report.activity.version)
        return answer
    }

    private func replicas(_ call: Call) async throws -> Answer {
        let after = Int(try call.after())
        let (activity, views, hasMore) = try await inspect.replicas(
            of: call.parameter("name"), in: call.app.id, after: after, limit: call.limit())
        var object = JSONObject([
            ("name", .string(activity.name)), ("generation", .integer(activity.generation)),
            ("version", .integer(activity.version)), ("replicas", .array(views.map(\.json))),
        ])
        if hasMore, let last = views.last { object["next"] = .string(String(last.replica.ordinal)) }
        return Answer(.ok, .object(object))
    }
}
