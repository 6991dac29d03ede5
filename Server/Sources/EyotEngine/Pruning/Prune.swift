import EyotDomain

/// The transaction that removes what is no longer needed. It touches few rows, because all other writes wait for it.
package struct Prune: UseCase {
    /// The position of a round of pruning.
    package enum Stage: Sendable, Hashable {
        case operations
        case audit
        case proofs
        case events
        case acceptances
        /// Numbers of types and apps that writers keep apart.
        case parts
        /// Kept numbers of this width, by its place among the widths.
        case counts(Int)
        /// Reports of activities that were removed.
        case reports
        /// Old numbers of types and apps.
        case insights
        case generations
        /// Activities after this one that only phones have named.
        case opened(after: ActivityID)
        /// Overtaken states of this activity after this version, and of the activities after it.
        case states(ActivityID, after: Int)
        case devices(after: DeviceID)

        package static let first = Stage.operations
    }

    /// How many rows one transaction removes or looks at.
    package static let rows = 200

    package let transaction: Transaction
    let retention: Retention

    package init(_ transaction: Transaction, retention: Retention) {
        self.transaction = transaction
        self.retention = retention
    }

    /// Removes one portion.
    ///
    /// - Returns: The next stage; nil if the round is over.
    package func callAsFunction(_ stage: Stage) throws -> Stage? {
        switch stage {
        case .operations:
            let removed = try ledger.removeOperations(acceptedBefore: now - retention.operations, limit: Self.rows)
            return removed > 0 ? stage : .audit
        case .audit:
            let removed = try ledger.removeAuditEntries(before: now - retention.audit, limit: Self.rows)
            let access = try ledger.removeAccessEntries(before: now - retention.audit, limit: Self.rows)
            let answers = try ledger.forgetAnswers(before: now - Idempotency.lifetime, limit: Self.rows)
            return removed + access + answers > 0 ? stage : .proofs
        case .proofs:
            let removed = try ledger.removeProofs(before: now, limit: Self.rows)
            let sessions = try ledger.removeEndedSessions(before: now, limit: Self.rows)
            let sources = try ledger.removeSources(fullBefore: now, limit: Self.rows)
            return removed + sessions + sources > 0 ? stage : .events
        case .events:
            let removed = try ledger.removeEvents(before: now - retention.events, limit: Self.rows)
            let letters = try ledger.removeDeadLetters(before: now - retention.events, limit: Self.rows)
            return removed + letters > 0 ? stage : .acceptances
        case .acceptances:
            let removed = try ledger.removeAcceptances(before: now - retention.events, limit: Self.rows)
            return removed > 0 ? stage : .parts
        case .parts:
            // Writers may still be at work in a span that has just ended.
            let counts = try ledger.foldCounts(endedBy: now.second - 60, limit: Self.rows)
            let usages = try ledger.foldUsage(limit: Self.rows)
            return max(counts, usages) == Self.rows ? stage : .counts(0)
        case .counts(let width): return try mergeCounts(width)
        case .reports: return try removeReports() ? stage : .insights
        case .insights:
            let first = CountSpan(of: now - retention.reports, width: CountSpan.day).second
            return try ledger.removeInsights(before: first, limit: Self.rows) > 0 ? stage : .generations
        case .generations:
            return try removeGenerations() ? stage : .opened(after: ActivityID(rawValue: 0))
        case .opened(let last): return try removeOpened(after: last)
        case .states(let activity, let version): return try removeStates(of: activity, after: version)
        case .devices(let last): return try removeDevices(after: last)
        }
    }

    /// Removes generations that ended long ago: acceptances and replicas first, then declarations, then the activity.
    ///
    /// - Returns: Whether there may be more.
    private func removeGenerations() throws -> Bool {
        var left = Self.rows
        while let id = try ledger.endedActivities(before: now - retention.ended, limit: 1).first {
            left -= try ledger.removeAcceptances(of: id, limit: left)
            if left > 0 { left -= try ledger.removeReplicas(of: id, limit: left) }
            if left > 0 { left -= try ledger.removeDeclarations(of: id, limit: left) }
            guard left > 0 else { return true }
            if let activity = try ledger.activity(id) {
                try ledger.put(KeptReport(of: activity, keptSince: now))
            }
            try ledger.removeActivity(id)
            left -= 1
            if left == 0 { return true }
        }
        return false
    }

    /// Removes activities without a declaration if their newest card was named long ago. No card runs for that long.
    ///
    /// A halt or a join secret comes from a backend, so an activity with one stays.
    private func removeOpened(after last: ActivityID) throws -> Stage? {
        var left = Self.rows
        let found = try ledger.openedActivities(after: last, limit: Self.rows / 4)
        for activity in found where try isForsaken(activity) {
            left -= try ledger.removeAcceptances(of: activity.id, limit: left)
            if left > 0 { left -= try ledger.removeReplicas(of: activity.id, limit: left) }
            // Names that only phones have used have no report.
            if left > 0 { left -= try ledger.removeCounts(of: activity.id, in: activity.app, limit: left) }
            guard left > 0 else { return .opened(after: ActivityID(rawValue: activity.id.rawValue - 1)) }
            try ledger.removeActivity(activity.id)
            try ledger.add(AppUsage(openedNames: -1), to: activity.app)
            left -= 1
        }
        guard found.count == Self.rows / 4, let last = found.last else {
            return .states(ActivityID(rawValue: 0), after: 0)
        }
        return .opened(after: last.id)
    }

    private func isForsaken(_ activity: Activity) throws -> Bool {
        let limit = now - retention.ended
        guard activity.createdAt < limit, activity.haltedAt == nil, try ledger.joinSecret(of: activity.id) == nil
        else { return false }
        // A newest card that is gone was removed before.
        let newest = try ledger.replica(activity.nextOrdinal - 1, of: activity.id)
        return newest.map { max($0.createdAt, $0.appearedAt ?? $0.createdAt) < limit } ?? true
    }

    // MARK: Overtaken states

    private func removeStates(of id: ActivityID, after version: Version) throws -> Stage? {
        if let activity = try ledger.activity(id), try mayHaveOvertaken(activity) {
            let found = try ledger.declarations(of: id, after: version, limit: Self.rows / 2)
            for state in found where try isOvertaken(state, in: activity) && !isStartedWith(state) {
                try ledger.removeDeclaration(state.version, of: id)
            }
            if found.count == Self.rows / 2, let last = found.last { return .states(id, after: last.version) }
        }
        let next = try ledger.activities(after: id, limit: Self.rows)
        for activity in next where try mayHaveOvertaken(activity) { return .states(activity.id, after: 0) }
        guard next.count == Self.rows, let last = next.last else { return .devices(after: DeviceID(rawValue: 0)) }
        return .states(last.id, after: 0)
    }

    /// Whether overtaken states of the activity may be removed. A start that has not left needs its own declaration. A
    /// start leaves within minutes of its time, unless the activity is halted or the app is paused. If the app is
    /// paused in one environment, the activity records that it has skipped replicas.
    private func mayHaveOvertaken(_ activity: Activity) throws -> Bool {
        let limit = now - retention.ended
        guard !activity.isEnded, activity.common.state > 1, activity.createdAt < limit,
            activity.startsAt ?? limit <= limit
        else { return false }
        guard activity.skippedEnvironments.isEmpty, let app = try ledger.app(activity.app) else { return false }
        return app.isSending && app.halt(of: activity) == nil
    }

    /// Whether a state is no longer sent to any replica, because it is for everyone and is not the newest. A scoped
    /// state may still be sent: a card that takes another card's place takes it over.
    private func isOvertaken(_ declaration: Declaration, in activity: Activity) -> Bool {
        declaration.kind == .state && declaration.scope == .everyone && declaration.version < activity.common.state
            && declaration.acceptedAt < now - retention.ended
    }

    /// Whether a live audience is started with the attributes, the alert and the rest of this declaration.
    private func isStartedWith(_ declaration: Declaration) throws -> Bool {
        try ledger.liveAudience(of: declaration.activity, version: declaration.version) != nil
    }

    // MARK: Devices

    /// Removes devices that were not heard of for long. Start tokens go at once, and the device itself goes when it has
    /// no cards any more.
    private func removeDevices(after last: DeviceID) throws -> Stage? {
        let devices = try ledger.devices(after: last, limit: Self.rows)
        for device in devices where device.seenAt < now - retention.devices {
            // A waiting arrival means that the device was heard of a moment ago.
            guard try ledger.arrivals(of: device.id).isEmpty else { continue }
            try transaction.countingAdoption(of: [device.id]) {
                for token in try ledger.startTokens(of: device.id) {
                    try ledger.removeStartToken(of: device.id, type: token.type)
                }
                try ledger.removeDevice(device.id)
            }
        }
        guard devices.count == Self.rows, let last = devices.last else { return nil }
        return .devices(after: last.id)
    }
}
