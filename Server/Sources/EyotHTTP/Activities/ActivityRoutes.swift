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
            .get("/v1/activities/{name}/replicas", .key(.activitiesRead), query: Self.filters, replicas),
        ]
    }

    private static let filters: Set<String> = [
        "limit", "after", "user", "phase", "behind", "reason", "build", "shown",
    ]

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
        let page = try await inspect.replicas(
            of: call.parameter("name"), in: call.app.id, after: Int(call.after()), limit: call.limit(), query(call))
        var object = JSONObject([
            ("name", .string(page.activity.name)), ("generation", .integer(page.activity.generation)),
            ("version", .integer(page.activity.version)), ("replicas", .array(page.views.map(\.json))),
        ])
        object["next"] = page.next.map { .string(String($0)) }
        return Answer(.ok, .object(object))
    }

    private func query(_ call: Call) throws -> ReplicaQuery {
        var query = ReplicaQuery()
        (query.user, query.reason, query.build) = (call.query["user"], call.query["reason"], call.query["build"])
        query.phase = try call.query["phase"].map { word in
            guard Replica.words.contains(word) else {
                throw EyotError(
                    .fieldInvalid, "phase must be one of \(Replica.words.joined(separator: ", "))", field: "phase")
            }
            return word
        }
        query.shown = try call.query["shown"].map { word in
            guard let shown = ShownState(rawValue: word) else {
                let words = ShownState.allCases.map(\.rawValue).joined(separator: ", ")
                throw EyotError(.fieldInvalid, "shown must be one of \(words)", field: "shown")
            }
            return shown
        }
        query.isBehind = try call.query["behind"] == nil ? nil : call.flag("behind")
        return query
    }
}
