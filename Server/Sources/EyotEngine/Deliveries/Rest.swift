import EyotDomain

/// Marks an activity as having nothing to do until a moment.
package struct Rest {
    let ledger: any Ledger

    package init(ledger: any Ledger) { self.ledger = ledger }

    func callAsFunction(_ activity: inout Activity, until moment: Instant?) throws {
        guard activity.dueAt != moment else { return }
        activity.dueAt = moment
        try ledger.update(activity)
    }

    /// - Returns: false where the stamp is another one: something has changed, and somebody has to look.
    package func callAsFunction(_ id: ActivityID, _ plan: EngineCore.RestPlan) throws -> Bool {
        guard var activity = try ledger.activity(id), activity.stamp == plan.stamp else { return false }
        try self(&activity, until: plan.until)
        return true
    }
}
