import EyotDomain
import EyotEngine
import Logging
import ServiceLifecycle

/// The service that removes what is no longer needed, in rounds of short transactions. ``Prune`` decides what to
/// remove.
struct Pruner: Service {
    /// Seconds between rounds.
    private static let interval = 3_600.0
    /// Seconds before the first round. A machine that has just started may not know the time yet, and a removal cannot
    /// be undone.
    static let patience = 60.0
    /// Seconds between two transactions, so that other writes get their turn.
    private static let pause = 0.05

    let store: any Store
    let clock: any WallClock
    /// How long things are kept. It is read for each round.
    let retention: @Sendable () -> Retention
    let pushing: PushingState
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            do {
                try await clock.pause(seconds: Self.patience)
                while true {
                    if pushing.leads { await round() }
                    try await clock.pause(seconds: Self.interval)
                }
            } catch {
                // Cancelled: the server stops.
            }
        }
    }

    private func round() async {
        let retention = retention()
        await logger.attempt("What is over could not be removed; the next round tries again") {
            var stage: Prune.Stage? = .first
            while let current = stage {
                stage = try await store.write { ledger in
                    try Prune(Transaction(ledger, at: clock.now), retention: retention)(current)
                }
                try await clock.pause(seconds: Self.pause)
            }
        }
    }
}
