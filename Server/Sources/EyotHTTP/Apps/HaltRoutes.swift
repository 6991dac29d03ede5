import EyotCommands
import EyotContract
import EyotDomain

/// Routes that halt and resume an activity or a type. Those of an app are in ``AppRoutes``.
struct HaltRoutes {
    var routes: [Route] {
        [("halt", true), ("resume", false)].flatMap { verb, isHalted in
            [
                Route.post("/v1/activities/{name}/\(verb)", .key(.activitiesHalt), bodyLimit: nil) {
                    try activity($0, isHalted)
                },
                Route.post("/v1/types/{type}/\(verb)", .key(.activitiesHalt), bodyLimit: nil) {
                    try type($0, isHalted)
                },
            ]
        }
    }

    private func activity(_ call: Call, _ isHalted: Bool) throws -> Route.Command {
        let (app, name) = (try call.app, try call.parameter("name"))
        return { ledger in
            let (activity, halt) = try SetHalt(Transaction(ledger, at: call.now)).set(
                isHalted, activity: name, of: app.id)
            var object = JSONObject([("name", .string(name)), ("generation", .integer(activity.generation))])
            object["halt"] = halt?.json
            return Answer(.ok, .object(object))
        }
    }

    private func type(_ call: Call, _ isHalted: Bool) throws -> Route.Command {
        let (app, type) = (try call.app, try call.parameter("type"))
        return { ledger in
            let changed = try SetHalt(Transaction(ledger, at: call.now)).set(isHalted, type: type, of: app.id)
            var object = JSONObject([("type", .string(type))])
            object["haltedSince"] = changed.haltedTypes[type].map { .string($0.rfc3339) }
            return Answer(.ok, .object(object))
        }
    }
}
