import EyotCommands
import EyotDomain

/// Whether the process is up, and whether it is fit to be sent calls.
struct HealthRoutes {
    let backend: Backend

    var routes: [Route] {
        [
            .get("/healthz", .anybody) { _ in Answer(.ok, ["status": "up"]) },
            .get("/readyz", .anybody) { _ in try await ready() },
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
        return Answer(.ok, ["status": "ready"])
    }
}
