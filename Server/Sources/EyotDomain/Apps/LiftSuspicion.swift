/// Clears the tokens of an app of all suspicion: the app was at fault, or whoever runs it says that it is mended (R8).
package struct LiftSuspicion {
    /// Rows that one transaction sets right: everybody else's writes wait for it (R11).
    package static let batch = 100

    private let ledger: any Ledger
    private let now: Instant

    package init(ledger: any Ledger, now: Instant) {
        self.ledger = ledger
        self.now = now
    }

    /// Sets some of them right.
    ///
    /// - Returns: whether there may be more: then another transaction goes on.
    package func callAsFunction(in app: AppID) throws -> Bool {
        let tokens = try ledger.suspectStartTokens(in: app, limit: Self.batch)
        for var token in tokens {
            token.death = nil
            try ledger.put(token, in: app)
        }
        guard tokens.count < Self.batch else { return true }
        let replicas = try ledger.suspectReplicas(in: app, limit: Self.batch - tokens.count)
        for var replica in replicas {
            replica.clearSuspicion()
            try ledger.update(replica)
        }
        for id in Set(replicas.map(\.activity)).sorted(by: { $0.rawValue < $1.rawValue }) {
            guard var activity = try ledger.activity(id) else { continue }
            activity.wake(at: now)
            try ledger.update(activity)
            ledger.woken.insert(id)
        }
        return tokens.count + replicas.count == Self.batch
    }
}
