import EyotDomain
import EyotEngine
import Logging
import ServiceLifecycle

/// The service that removes what is no longer needed, in rounds of short transactions. ``Prune`` decides what to
/// remove.
struct Pruner: Service {
    /// Seconds between two looks at the limits of logs.
    private static let interval = 300.0
    /// How many looks come between two rounds.
    private static let looksPerRound = 12
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
                for look in 0... {
                    if pushing.leads {
                        if look.isMultiple(of: Self.looksPerRound) { await round() }
                        await trim()
                    }
                    try await clock.pause(seconds: Self.interval)
                }
            } catch {
                // Cancelled: the server stops.
            }
        }
    }

    private func trim() async {
        await logger.attempt("What logs have beyond their limits could not be removed; the next look tries again") {
            try await TrimLogs(store, clock: clock, pause: Self.pause)()
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
