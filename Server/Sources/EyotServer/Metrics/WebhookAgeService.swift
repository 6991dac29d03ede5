import EyotDomain
import EyotEngine
import EyotMetrics
import Logging
import ServiceLifecycle

/// The service that reads how long events have waited for webhooks, so that a scrape asks no store.
struct WebhookAgeService: Service {
    private static let interval = 5.0
    /// The most webhooks with a series of their own.
    private static let limit = 100

    let meters: Meters
    let store: any Store
    let clock: any WallClock
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            repeat {
                await logger.attempt("What waits for webhooks could not be read") { try await look() }
                // Cancelled when the server stops.
            } while (try? await clock.pause(seconds: Self.interval)) != nil
        }
    }

    /// Looks once.
    func look() async throws {
        let (oldest, now) = (try await store.read { try $0.oldestWaiting(limit: Self.limit) }, clock.now)
        let ages = oldest.map { webhook, moment in
            (["\(webhook.rawValue)"], moment.map { max(0, now.seconds(since: $0)) } ?? 0)
        }
        meters.setAll(.webhookOldest, Dictionary(uniqueKeysWithValues: ages))
    }
}
