import EyotDomain

/// Marks an activity as having nothing to do until a moment. Where nothing is owed to anybody then either, its operations are
/// complete.
package struct Rest {
    /// Operations that one transaction completes. Where there are more the activity stays due.
    static let operationLimit = 500

    let ledger: any Ledger
    let now: Instant

    package init(ledger: any Ledger, now: Instant) {
        self.ledger = ledger
        self.now = now
    }

    /// Notes it in the activity, which the caller stores.
    ///
    /// - Parameter owes: somebody is behind and waits for that moment.
    func note(in activity: inout Activity, until moment: Instant?, owes: Bool) throws {
        // All pages that it has passed have their verdicts.
        activity.laps.end()
        let isJudged = try restCanary(of: &activity, owes: owes)
        // Whoever tells the last one of its share wakes the activity.
        activity.dueAt = Instant.soonest(moment, isJudged ? activity.canary?.lookAt : nil)
        guard !owes else { return }
        if try !complete(in: activity, upTo: activity.version) { activity.dueAt = now }
    }

    /// Everybody who was there when a lap began has what was newest then, or will not get it, or waits for it, though the activity does
    /// not rest: cards join all the time.
    package func conclude(_ id: ActivityID, _ lap: EngineCore.EndedLap) throws {
        guard let former = try ledger.activity(id) else { return }
        var activity = former
        if let share = lap.goal.share, activity.openCanary?.share == share,
            lap.hasPausedReplicas != activity.passedOver.isEmpty
        {
            try restCanary(of: &activity, owes: lap.owes)
        }
        if lap.isForAll, try !complete(in: activity, upTo: lap.goal.version) { activity.wake(at: now) }
        if activity != former { try ledger.update(activity) }
    }

    /// Completes operations.
    ///
    /// - Returns: false where there may be more than one transaction completes.
    private func complete(in activity: Activity, upTo version: Int) throws -> Bool {
        guard activity.passedOver.isEmpty else { return true }
        let operations = try ledger.openOperations(of: activity.id, limit: Self.operationLimit)
        guard !operations.isEmpty else { return true }
        // A channel takes no scopes. It wakes the activity when it is done.
        let channels = try ledger.channels(of: activity.id)
        let complete = operations.filter { operation in
            guard operation.version <= version, !operation.isTriedOut(in: activity) else { return false }
            let version = min(operation.version, activity.newestForEveryone)
            return operation.members != nil || !channels.contains { $0.owes(version) }
        }
        for var operation in complete {
            operation.complete(in: activity, at: now)
            try ledger.update(operation)
        }
        // Those that wait must not hide others behind them; where all wait there is nothing to be done.
        return operations.count < Self.operationLimit || complete.isEmpty
    }

    /// - Returns: false where its share is not there yet.
    @discardableResult
    private func restCanary(of activity: inout Activity, owes: Bool) throws -> Bool {
        guard let canary = activity.openCanary else { return true }
        guard try AdvanceCanary(ledger: ledger, now: now).isShareThere(for: canary, of: activity) else { return false }
        let spacing = try ProfileReader(ledger)(of: activity).longestSpacing
        activity.restCanary(owes: owes, isHolding: try isHolding(activity), spacing: spacing, at: now)
        return true
    }

    /// Whether a pause passes over some, and no channel of another environment waits for what is tried out with them.
    private func isHolding(_ activity: Activity) throws -> Bool {
        guard !activity.passedOver.isEmpty else { return false }
        return try !ledger.channels(of: activity.id).contains { channel in
            [.wanted, .leased].contains(channel.phase) && !activity.passedOver.contains(channel.environment)
        }
    }

    func callAsFunction(_ activity: inout Activity, until moment: Instant?, owes: Bool) throws {
        let former = activity
        try note(in: &activity, until: moment, owes: owes)
        if activity != former { try ledger.update(activity) }
    }

    /// - Returns: false where the stamp is another one: something has changed, and somebody has to look.
    package func callAsFunction(_ id: ActivityID, _ plan: EngineCore.RestPlan) throws -> Bool {
        guard var activity = try ledger.activity(id), activity.stamp == plan.stamp else { return false }
        try self(&activity, until: plan.until, owes: plan.owes)
        return true
    }
}
