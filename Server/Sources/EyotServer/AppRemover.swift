import EyotCommands
import EyotDomain
import EyotEngine
import Logging
import ServiceLifecycle

/// The service that removes what belongs to removed apps, in short transactions. ``RemoveApp`` decides what and when.
struct AppRemover: Service {
    /// Seconds between two looks.
    private static let interval = 10.0
    /// Seconds between two transactions, so that other writes get their turn.
    private static let pause = 0.02

    let store: any Store
    let clock: any WallClock
    let pushing: PushingState
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            // Cancelled when the server stops.
            while (try? await clock.pause(seconds: Self.interval)) != nil {
                if pushing.leads { await removeAll() }
            }
        }
    }

    private func removeAll() async {
        await logger.attempt("What is left of an app could not be removed; the next try follows") {
            for app in try await store.read({ try $0.removedApps() }) {
                while try await store.write({ try RemoveApp(Transaction($0, at: clock.now)).step(app) }) {
                    try await clock.pause(seconds: Self.pause)
                }
                guard try await store.read({ try $0.app(app.id) }) == nil else { continue }
                // Afterwards no file of the database holds what was removed.
                try await store.foldLog()
                logger.notice("An app and all that belonged to it is removed", metadata: ["app": "\(app.bundleID)"])
            }
        }
    }
}
