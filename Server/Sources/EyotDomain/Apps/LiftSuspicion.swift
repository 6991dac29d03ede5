/// Clears the tokens of an app of all suspicion: the app was at fault, or whoever runs it says that it is mended (R8).
package struct LiftSuspicion {
    /// Rows set right in one go.
    private static let batch = 1_000

    private let ledger: any Ledger
    private let now: Instant

    package init(ledger: any Ledger, now: Instant) {
        self.ledger = ledger
        self.now = now
    }

    package func callAsFunction(in app: AppID) throws {
        while case let replicas = try ledger.suspectReplicas(in: app, limit: Self.batch), !replicas.isEmpty {
            for var replica in replicas {
                replica.clearSuspicion()
                try ledger.update(replica)
                guard var activity = try ledger.activity(replica.activity) else { continue }
                activity.wake(at: now)
                try ledger.update(activity)
            }
        }
        while case let tokens = try ledger.suspectStartTokens(in: app, limit: Self.batch), !tokens.isEmpty {
            for var token in tokens {
                token.death = nil
                try ledger.put(token, in: app)
            }
        }
    }
}
