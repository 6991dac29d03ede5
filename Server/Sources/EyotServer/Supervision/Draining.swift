import EyotDomain
import Logging
import ServiceLifecycle
import Synchronization

/// The service that stops first. It records that the server is about to stop, and delays the stop for the time in
/// which load balancers notice.
final class Draining: Service {
    private let flag = Atomic(false)
    private let seconds: Double
    private let clock: any WallClock
    private let supervisor: Supervisor?
    private let logger: Logger

    /// - Parameter seconds: The delay. Meanwhile the server answers calls and is not ready.
    init(seconds: Double, clock: any WallClock, supervisor: Supervisor?, logger: Logger) {
        (self.seconds, self.clock, self.supervisor, self.logger) = (seconds, clock, supervisor, logger)
    }

    var isSet: Bool { flag.load(ordering: .relaxed) }

    func run() async throws {
        // Cancelled: another service has failed, and nothing is drained.
        guard (try? await gracefulShutdown()) != nil else { return }
        flag.store(true, ordering: .relaxed)
        supervisor?.tell(.stopping)
        logger.notice("Eyot stops", metadata: ["drainSeconds": "\(Int(seconds))"])
        // Cancelled: the server must not wait.
        try? await clock.pause(seconds: seconds)
    }
}
