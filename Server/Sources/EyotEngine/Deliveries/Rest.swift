import EyotDomain

/// The transition of an activity to rest: it has nothing to do until a moment. If no replica is behind, its operations
/// are complete.
package struct Rest: UseCase {
    /// How many operations one transaction completes. If there are more, the activity stays due.
    static let operationLimit = 250

    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// Notes the rest in the activity, which the caller stores.
    ///
    /// - Parameter owes: Whether a replica is behind and waits for `moment`.
    func note(in activity: inout Activity, until moment: Instant?, hasWaitingReplicas: Bool) throws {
        // All pages that the lap has passed have their verdicts.
        activity.laps.end()
        let isJudged = try restCanary(of: &activity, hasWaitingReplicas: hasWaitingReplicas)
        // If the share is not there yet, processing its last member wakes the activity.
        activity.rest(until: Instant.soonest(moment, isJudged ? activity.canary?.lookAt : nil), at: now)
        guard !hasWaitingReplicas else { return }
        if try !complete(in: activity, upTo: activity.version) { activity.dueAt = now }
    }

    /// Applies the end of a lap of an activity that does not rest, because cards join all the time. Each replica that
    /// existed when the lap began has what was newest then, will not get it, or waits for it.
    package func conclude(_ id: ActivityID, _ lap: EngineCore.EndedLap) throws {
        guard let former = try ledger.activity(id) else { return }
        var activity = former
        if let share = lap.goal.share, activity.openCanary?.share == share,
            lap.hasPausedReplicas != activity.skippedEnvironments.isEmpty
        {
            try restCanary(of: &activity, hasWaitingReplicas: lap.hasWaitingReplicas)
        }
        if lap.isForAll, try !complete(in: activity, upTo: lap.goal.version) { activity.wake(at: now) }
        if activity != former { try transaction.update(activity, from: former) }
    }

    /// Completes the operations up to a version, except those that wait for a canary or a channel.
    ///
    /// - Returns: False if there may be more than one transaction completes.
    private func complete(in activity: Activity, upTo version: Version) throws -> Bool {
        guard activity.skippedEnvironments.isEmpty else { return true }
        let operations = try ledger.openOperations(of: activity.id, limit: Self.operationLimit)
        guard !operations.isEmpty else { return true }
        // A channel has no scopes. It wakes the activity when it is done.
        let channels = try ledger.channels(of: activity.id)
        let complete = operations.filter { operation in
            guard operation.version <= version, !operation.isTriedOut(in: activity) else { return false }
            let version = min(operation.version, activity.newestCommon)
            return operation.members != nil || !channels.contains { $0.isBehind(version) }
        }
        for former in complete {
            var operation = former
            operation.complete(in: activity, at: now)
            try transaction.update(operation, from: former)
        }
        // Operations that wait must not hide others behind them. If all wait, nothing can be done.
        return operations.count < Self.operationLimit || complete.isEmpty
    }

    /// Applies the rest to the activity's open canary.
    ///
    /// - Returns: False if the canary's share is not there yet.
    @discardableResult
    private func restCanary(of activity: inout Activity, hasWaitingReplicas: Bool) throws -> Bool {
        guard let canary = activity.openCanary else { return true }
        guard try AdvanceCanary(transaction).isShareThere(for: canary, of: activity) else { return false }
        let spacing = try ProfileReader(ledger)(of: activity).longestSpacing
        activity.restCanary(
            hasWaitingReplicas: hasWaitingReplicas, isHolding: try isHolding(activity), spacing: spacing, at: now)
        return true
    }

    /// Whether a pause skips replicas, and no channel of another environment can try the canary out.
    private func isHolding(_ activity: Activity) throws -> Bool {
        guard !activity.skippedEnvironments.isEmpty else { return false }
        return try !ledger.channels(of: activity.id).contains { channel in
            [.wanted, .leased].contains(channel.phase) && !activity.skippedEnvironments.contains(channel.environment)
        }
    }

    func callAsFunction(_ activity: inout Activity, until moment: Instant?, hasWaitingReplicas: Bool) throws {
        let former = activity
        try note(in: &activity, until: moment, hasWaitingReplicas: hasWaitingReplicas)
        if activity != former { try transaction.update(activity, from: former) }
    }

    /// - Returns: False if the activity's stamp is not the plan's. Then something has changed, and the activity needs
    ///   another look.
    package func callAsFunction(_ id: ActivityID, _ plan: EngineCore.RestPlan) throws -> Bool {
        guard var activity = try ledger.activity(id), activity.stamp == plan.stamp else { return false }
        try self(&activity, until: plan.until, hasWaitingReplicas: plan.hasWaitingReplicas)
        return true
    }
}
