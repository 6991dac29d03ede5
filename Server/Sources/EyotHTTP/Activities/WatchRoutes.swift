import EyotCommands
import EyotContract
import EyotDomain

/// Routes that give an activity metrics of its own, and take them away.
struct WatchRoutes {
    var routes: [Route] {
        [("watch", true), ("unwatch", false)].map { verb, isWatched in
            .post("/v1/activities/{name}/\(verb)", .key(.activitiesUpdate), bodyLimit: nil) {
                try set(isWatched, $0)
            }
        }
    }

    private func set(_ isWatched: Bool, _ call: Call) throws -> Route.Command {
        let (app, name) = (try call.app.id, try call.parameter("name"))
        return { ledger in
            let watch = SetWatch(Transaction(ledger, at: call.now))
            try isWatched ? watch.watch(name, in: app) : watch.unwatch(name, in: app)
            return Answer(.ok, ["name": .string(name), "watched": .bool(isWatched)])
        }
    }
}
