import EyotDomain
import EyotEngine
import EyotHTTP
import Logging
import ServiceLifecycle

/// The service that stores reads and refusals once a second, and maintains the audit log's file.
struct AuditService: Service {
    private static let interval = 1.0

    let trail: AuditTrail
    let log: AuditLog?
    let store: any Store
    let clock: any WallClock
    let logger: Logger

    func run() async throws { await recurring(each: Self.interval, by: clock) { await tend() } }

    private func tend() async {
        log?.tend(logger)
        await logger.attempt("Reads and refusals could not be kept") {
            let lost = try await trail.write(to: store, at: clock.now)
            guard lost > 0 else { return }
            logger.error("Reads and refusals came too fast to be kept", metadata: ["entries": "\(lost)"])
        }
    }
}
