import EyotDomain
import EyotEngine
import Logging
import ServiceLifecycle

/// The service that gives quarantined tokens of each app another chance. ``ProbeQuarantine`` decides when.
struct QuarantineProber: Service {
    /// Seconds between two looks at all apps.
    private static let interval = 15.0
    /// Seconds between two transactions, so that other writes get their turn.
    private static let pause = 0.05
    /// The most apps that one look reads.
    private static let appsAtOnce = 1_000

    let store: any Store
    let clock: any WallClock
    let pushing: PushingState
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            do {
                var probes: [AppID: QuarantineProbes] = [:]
                while true {
                    try await clock.pause(seconds: Self.interval)
                    probes = pushing.leads ? await look(probes) : [:]
                }
            } catch {
                // Cancelled: the server stops.
            }
        }
    }

    /// - Returns: the probes of the apps with tokens in quarantine.
    private func look(_ former: [AppID: QuarantineProbes]) async -> [AppID: QuarantineProbes] {
        await logger.attempt("Quarantined tokens could not be probed; the next look tries again") {
            var probes: [AppID: QuarantineProbes] = [:]
            for app in try await store.read({ try $0.appsWithSuspects(limit: Self.appsAtOnce) }) {
                probes[app] = try await step(former[app], of: app)
            }
            return probes
        } ?? former
    }

    private func step(_ known: QuarantineProbes?, of app: AppID) async throws -> QuarantineProbes? {
        let outcome = try await store.write { ledger in
            try ProbeQuarantine(Transaction(ledger, at: clock.now))(known, in: app)
        }
        switch outcome {
        case .none: return nil
        case .waits(let probes): return probes
        case .isOver(let probes):
            logger.notice(
                "Apple accepts quarantined tokens again; all get another chance", metadata: ["app": "\(app.rawValue)"])
            while try await store.write({ try ClearSuspicion(Transaction($0, at: clock.now))(in: app) }) {
                try await clock.pause(seconds: Self.pause)
            }
            return probes
        }
    }
}

extension Ledger {
    /// Apps with a token that Apple's refusals put in doubt.
    fileprivate func appsWithSuspects(limit: Int) throws -> [AppID] {
        try apps().map(\.id).filter { app in
            try !suspectReplicas(in: app, limit: 1).isEmpty || !suspectStartTokens(in: app, limit: 1).isEmpty
        }.prefix(limit).map(\.self)
    }
}
