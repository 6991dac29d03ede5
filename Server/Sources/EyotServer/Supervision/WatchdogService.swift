import EyotDomain
import ServiceLifecycle

/// The service that tells the service manager that the server works, twice in the time that the supervisor waits.
///
/// It sends nothing while the server does not answer, so the supervisor ends a server that hangs and starts another.
struct WatchdogService: Service {
    let supervisor: Supervisor
    /// The longest time between two messages, in seconds.
    let seconds: Double
    let clock: any WallClock
    /// Returns false, or does not return, if the server does not work.
    let isAnswering: @Sendable () async -> Bool

    func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat {
                if await isAnswering() { supervisor.tell(.watchdog) }
            } while (try? await clock.pause(seconds: seconds / 2)) != nil
        }
    }
}
