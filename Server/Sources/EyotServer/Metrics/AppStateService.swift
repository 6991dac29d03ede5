import EyotDomain
import EyotEngine
import EyotMetrics
import Logging
import ServiceLifecycle

/// The service that reads the apps again after one of them or a key has changed. So a scrape and a check of health ask
/// no store. While the database refuses something, it also looks whether that is over, so that metrics and the log
/// learn it without a call.
struct AppStateService: Service {
    /// Seconds between two looks at the number of changes.
    private static let interval = 2.0

    let states: AppStates
    let meters: Meters
    let store: any Store
    let clock: any WallClock
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var seen: Int?
            repeat {
                // The store remembers what it finds, and answers with it.
                if store.health.isInTrouble { try? await store.check() }
                let version = store.accessVersion
                if version == nil || version != seen {
                    await logger.attempt("The apps could not be read for metrics") {
                        try await read()
                        seen = version
                    }
                }
                // Cancelled when the server stops.
            } while (try? await clock.pause(seconds: Self.interval)) != nil
        }
    }

    private func read() async throws {
        let snapshot = try await store.read { ledger in
            let apps = try ledger.apps()
            return AppStates.Snapshot(
                apps: apps, withoutKey: try apps.count { try ledger.apnsKeys(of: $0.id).isEmpty })
        }
        for app in snapshot.apps { meters.note(app) }
        states.value = snapshot
    }
}
