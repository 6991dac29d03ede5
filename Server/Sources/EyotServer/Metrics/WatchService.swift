import EyotDomain
import EyotEngine
import EyotMetrics
import Logging
import ServiceLifecycle

/// The service that reads the numbers of watched activities every few seconds, so that a scrape asks no store.
struct WatchService: Service {
    private static let interval = 5.0

    let meters: Meters
    let store: any Store
    let clock: any WallClock
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var metrics = WatchedMetrics()
            repeat {
                await logger.attempt("The watched activities could not be read") {
                    metrics.write(try await store.read { try $0.watchedNumbers(at: clock.now) }, to: meters)
                }
                // Cancelled when the server stops.
            } while (try? await clock.pause(seconds: Self.interval)) != nil
        }
    }
}
