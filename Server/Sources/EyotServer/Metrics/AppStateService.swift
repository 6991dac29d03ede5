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
    /// The looks after which everything is read again. Halts of activities do not raise the number of changes.
    private static let looks = 15
    /// The most halted activities of an app that are counted.
    private static let halted = 1_000

    let states: AppStates
    let meters: Meters
    let store: any Store
    let clock: any WallClock
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var (seen, looks): (Int?, Int) = (nil, 0)
            repeat {
                // The store remembers what it finds, and answers with it.
                if store.health.isInTrouble { try? await store.check() }
                let version = store.accessVersion
                if version == nil || version != seen || looks == Self.looks {
                    await logger.attempt("The apps could not be read for metrics") {
                        try await read()
                        (seen, looks) = (version, 0)
                    }
                }
                looks = min(looks + 1, Self.looks)
                // Cancelled when the server stops.
            } while (try? await clock.pause(seconds: Self.interval)) != nil
        }
    }

    private func read() async throws {
        let snapshot = try await store.read { ledger in
            var snapshot = AppStates.Snapshot(apps: try ledger.apps())
            let history = try ledger.history()
            for app in snapshot.apps {
                if try ledger.apnsKeys(of: app.id).isEmpty { snapshot.withoutKey += 1 }
                if let history, app.isRestored(in: history) { snapshot.restored.insert(app.id) }
                snapshot.haltedActivities[app.id] = try ledger.haltedActivities(of: app.id, limit: Self.halted).count
            }
            return snapshot
        }
        for app in snapshot.apps { meters.note(app) }
        states.value = snapshot
    }
}
