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
            .get(Self.fit, .anybody) { _ in try await ready() },
            .get("/v1/status", .key(.activitiesRead)) { call in
                Answer(.ok, .object(JSONObject(status(at: call.now) + [("refused", backend.refusals.json)])))
            },
        ]
    }

    private func ready() async throws -> Answer {
        if backend.isDraining() { throw EyotError(.unavailable, "the server is stopping") }
        do {
            try await backend.store.check()
        } catch let error as EyotError where error.code == .diskFull {
            throw error
        } catch {
            throw EyotError(.unavailable, "the store does not answer")
        }
        return Answer(.ok, .object(JSONObject([("status", "ready")] + status(at: backend.clock.now))))
    }

    private func status(at now: Instant) -> [(String, JSONValue)] { backend.pushing.status(at: now).members }
}

extension PushingStatus {
    /// Whether pages leave, and until when cards wait because a clock was wrong.
    fileprivate var members: [(String, JSONValue)] {
        var pushing = JSONObject([("active", .bool(wait == nil))])
        pushing["reason"] = wait.map { .string($0.rawValue) }
        pushing["until"] = until.map { .string($0.rfc3339) }
        var clock = JSONObject()
        clock["setBackAt"] = setBack.map { .string($0.after.rfc3339) }
        clock["setBackSeconds"] = setBack.flatMap { .finite(($0.seconds * 1_000).rounded() / 1_000) }
        clock["cardsWaitUntil"] = cardsWaitUntil.map { .string($0.rfc3339) }
        return [("pushing", .object(pushing)), ("clock", .object(clock))]
    }
}
