import EyotDomain
import EyotEngine
import EyotHTTP
import Logging
import ServiceLifecycle

/// The service that stores reads, refusals and refused calls once a second, and maintains the audit log's file.
struct AuditService: Service {
    private static let interval = 1.0

    let backend: Backend
    let log: AuditLog?
    let logger: Logger

    func run() async throws { await recurring(each: Self.interval, by: backend.clock) { await tend() } }

    private func tend() async {
        log?.tend(logger)
        await logger.attempt("Reads and refusals could not be kept") {
            let lost = try await backend.trail.write(to: backend.store, at: backend.clock.now)
            guard lost > 0 else { return }
            logger.error("Reads and refusals came too fast to be kept", metadata: ["entries": "\(lost)"])
        }
        await logger.attempt("Refused calls could not be kept") {
            try await backend.refusedCalls.write(by: backend.commands)
        }
    }
}
