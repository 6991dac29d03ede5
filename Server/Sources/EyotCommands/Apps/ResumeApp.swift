import EyotContract
import EyotDomain

/// Lets an app's pushes go again, since somebody has mended what was wrong or nobody wants it halted any more, and gives
/// tokens that were set aside on suspicion another chance. One transaction, after as many as ``prepare(_:)`` takes.
package struct ResumeApp {
    let ledger: any Ledger
    let now: Instant

    package init(ledger: any Ledger, now: Instant) {
        self.ledger = ledger
        self.now = now
    }

    /// Does a part of what there is to do before, while nothing is sent for the app.
    ///
    /// - Returns: whether there may be more.
    package func prepare(_ id: AppID) throws -> Bool { try ClearSuspicion(ledger: ledger, now: now)(in: id) }

    package func callAsFunction(_ id: AppID) throws -> App {
        guard var app = try ledger.app(id) else { throw EyotError(.appUnknown, "the app is gone") }
        (app.pauses, app.trials) = ([:], [:])
        app.renew(in: PushEnvironment.allCases, at: now)
        app.haltedAt = nil
        try ledger.update(app)
        // What came under suspicion since.
        _ = try prepare(id)
        try ledger.wakeDue(at: now)
        return app
    }
}

extension Ledger {
    /// Hints at what is due: what became due while nothing was sent for it stayed due, and the engine finds more than this
    /// in the store.
    func wakeDue(at now: Instant) throws {
        woken.formUnion(try dueActivities(at: now, limit: 1_000).map(\.id))
    }
}
