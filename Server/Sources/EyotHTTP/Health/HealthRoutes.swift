import EyotCommands
import EyotContract
import EyotDomain

/// Routes that say whether the process is up, and whether it is ready for calls.
struct HealthRoutes {
    private static let alive = "/healthz"
    private static let fit = "/readyz"
    /// The paths that are answered even if the listener is full.
    static let paths: Set<String> = [alive, fit]

    let backend: Backend

    var routes: [Route] {
        [
            .get(Self.alive, .anybody) { _ in Answer(.ok, ["status": "up"]) },
            .get(Self.fit, .anybody) { _ in await ready() },
            .get("/v1/status", .key(.activitiesRead)) { call in
                let failure = await failure()
                let checks = HealthChecks(backend: backend, now: call.now, failure: failure).all
                var members = backend.build.members + [("checks", JSONValue.array(checks.map(\.json)))]
                members += status(at: call.now)
                members += [("refused", backend.refusals.json), ("store", store), ("apple", apple)]
                if failure == nil, case let nodes = try await nodes(at: call.now), !nodes.isEmpty {
                    members.append(("nodes", .array(nodes)))
                }
                return Answer(.ok, .object(JSONObject(members)), by: backend.build)
            },
        ]
    }

    private func ready() async -> Answer {
        let now = backend.clock.now
        let failure = await failure()
        let checks = JSONValue.array(HealthChecks(backend: backend, now: now, failure: failure).all.map(\.json))
        if let failure {
            var answer = Answer(Problem(failure))
            answer.add("checks", checks)
            return answer
        }
        return Answer(.ok, .object(JSONObject([("status", "ready"), ("checks", checks)] + status(at: now))))
    }

    /// Why the server should get no calls; nil if it is ready.
    private func failure() async -> EyotError? {
        if backend.isDraining() { return EyotError(.unavailable, "the server is draining and stops soon") }
        do {
            try await backend.store.check()
            return nil
        } catch let error as EyotError {
            return error
        } catch {
            return EyotError(.unavailable, "the store does not answer")
        }
    }

    private var store: JSONValue {
        let health = backend.store.health
        var store = JSONObject([
            ("waitingWrites", .integer(health.waitingWrites)), ("busySeconds", .finite(health.busySeconds) ?? 0),
        ])
        store["freeBytes"] = health.freeBytes.map { .integer($0) }
        store["walBytes"] = health.walBytes.map { .integer($0) }
        store["schema"] = health.schema.map { .integer($0) }
        return .object(store)
    }

    /// The nodes on the database; empty where a process has its database for itself.
    private func nodes(at now: Instant) async throws -> [JSONValue] {
        try await backend.store.look { try NodeStanding.all(in: $0, at: now) }.map(\.json)
    }

    private var apple: JSONValue {
        .array(
            backend.health.apple().map { one in
                [
                    "environment": .string(one.environment.rawValue), "service": .string(one.service),
                    "connections": .integer(one.ready), "failures": .integer(one.failures),
                ]
            })
    }

    private func status(at now: Instant) -> [(String, JSONValue)] { backend.pushing.status(at: now).members }
}

extension PushingStatus {
    /// Whether pages leave, and until when cards wait because a clock was wrong.
    fileprivate var members: [(String, JSONValue)] {
        var pushing = JSONObject([("active", .bool(wait == nil))])
        pushing["reason"] = wait.map { .string($0.rawValue) }
        if allShards > 1 { pushing["shards"] = .integer(shards) }
        pushing["until"] = until.map { .string($0.rfc3339) }
        var clock = JSONObject()
        clock["setBackAt"] = setBack.map { .string($0.after.rfc3339) }
        clock["setBackSeconds"] = setBack.flatMap { .finite(($0.seconds * 1_000).rounded() / 1_000) }
        clock["cardsWaitUntil"] = cardsWaitUntil.map { .string($0.rfc3339) }
        return [("pushing", .object(pushing)), ("clock", .object(clock))]
    }
}
