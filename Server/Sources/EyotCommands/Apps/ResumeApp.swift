import EyotContract
import EyotDomain

/// The end of an app's halt and pauses, after the cause is mended or the halt is no longer needed. Tokens that were set
/// aside on suspicion get another chance. One transaction, after the calls of ``prepare(_:)``.
package struct ResumeApp: UseCase {
    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// Does a part of the work in advance, while nothing is sent for the app.
    ///
    /// - Returns: Whether there may be more.
    package func prepare(_ id: AppID) throws -> Bool { try ClearSuspicion(transaction)(in: id) }

    package func callAsFunction(_ id: AppID) throws -> App {
        guard let former = try ledger.app(id) else { throw EyotError(.appUnknown, "the app was removed") }
        var app = former
        (app.pauses, app.trials) = ([:], [:])
        app.renew(in: PushEnvironment.allCases, at: now)
        app.haltedAt = nil
        try transaction.update(app, from: former)
        // Tokens that came under suspicion since.
        _ = try prepare(id)
        try ledger.wakeDue(at: now)
        return app
    }
}

extension Ledger {
    /// Hints at due activities. They stayed due while nothing was sent, and the engine finds those beyond the limit in
    /// the store.
    func wakeDue(at now: Instant) throws {
        woken.formUnion(try dueActivities(at: now, limit: 1_000).map(\.id))
    }
}
