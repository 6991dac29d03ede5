import EyotDomain

/// Removes what nobody can need any more. One transaction, of few rows: everybody else's writes wait for it.
package struct Prune {
    /// How far a round has come.
    package enum Stage: Sendable, Hashable {
        case operations
        case audit
        case proofs
        case generations
        /// Activities after this one that only phones have named.
        case opened(after: ActivityID)
        /// States that were overtaken, of this activity after this version, and of the activities after it.
        case states(ActivityID, after: Int)
        case devices(after: DeviceID)

        package static let first = Stage.operations
    }

    /// Rows that one transaction removes or looks at.
    package static let rows = 200

    let ledger: any Ledger
    let retention: Retention
    let now: Instant

    package init(ledger: any Ledger, retention: Retention, now: Instant) {
        self.ledger = ledger
        self.retention = retention
        self.now = now
    }

    /// - Returns: how to go on; nil where the round is over.
    package func callAsFunction(_ stage: Stage) throws -> Stage? {
        switch stage {
        case .operations:
            let removed = try ledger.removeOperations(acceptedBefore: now - retention.operations, limit: Self.rows)
            return removed > 0 ? stage : .audit
        case .audit:
            let removed = try ledger.removeAuditEntries(before: now - retention.audit, limit: Self.rows)
            let access = try ledger.removeAccessEntries(before: now - retention.audit, limit: Self.rows)
            return removed + access > 0 ? stage : .proofs
        case .proofs:
            return try ledger.removeProofs(before: now, limit: Self.rows) > 0 ? stage : .generations
        case .generations:
            return try removeGenerations() ? stage : .opened(after: ActivityID(rawValue: 0))
        case .opened(let last): return try removeOpened(after: last)
        case .states(let activity, let version): return try removeStates(of: activity, after: version)
        case .devices(let last): return try removeDevices(after: last)
        }
    }

    /// Removes generations that ended long ago, each from its last replica to its name.
    ///
    /// - Returns: whether there may be more.
    private func removeGenerations() throws -> Bool {
        var left = Self.rows
        while let id = try ledger.endedActivities(before: now - retention.ended, limit: 1).first {
            left -= try ledger.removeReplicas(of: id, limit: left)
            if left > 0 { left -= try ledger.removeDeclarations(of: id, limit: left) }
            guard left > 0 else { return true }
            try ledger.removeActivity(id)
            left -= 1
            if left == 0 { return true }
        }
        return false
    }

    /// Removes activities that nobody has declared, when their newest card was named long ago: no card runs for that
    /// long.
    ///
    /// A halt or a join secret is a backend's word for the name, so that one stays.
    private func removeOpened(after last: ActivityID) throws -> Stage? {
        var left = Self.rows
        let found = try ledger.openedActivities(after: last, limit: Self.rows / 4)
        for activity in found where try isForsaken(activity) {
            left -= try ledger.removeReplicas(of: activity.id, limit: left)
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
        // One that is not there any more was removed before.
        let newest = try ledger.replica(activity.nextOrdinal - 1, of: activity.id)
        return newest.map { max($0.createdAt, $0.appearedAt ?? $0.createdAt) < limit } ?? true
    }

    // MARK: Overtaken states

    private func removeStates(of id: ActivityID, after version: Int) throws -> Stage? {
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

    /// A start that has not left needs the declaration that it was planned with. One leaves within minutes of its time, unless
    /// something halts the activity or the app is paused: in one environment, where somebody of the activity was passed over for it.
    private func mayHaveOvertaken(_ activity: Activity) throws -> Bool {
        let limit = now - retention.ended
        guard !activity.isEnded, activity.everyone > 1, activity.createdAt < limit, activity.startsAt ?? limit <= limit
        else { return false }
        guard activity.passedOver.isEmpty, let app = try ledger.app(activity.app) else { return false }
        return app.isSending && app.halt(of: activity) == nil
    }

    /// A state for everyone that is not the newest is not sent to anybody any more. One with a scope may be: a card that takes
    /// another one's place takes it over.
    private func isOvertaken(_ declaration: Declaration, in activity: Activity) -> Bool {
        declaration.kind == .state && declaration.scope == .everyone && declaration.version < activity.everyone
            && declaration.acceptedAt < now - retention.ended
    }

    /// An audience that stays open is started with what its call said: attributes, alert and all.
    private func isStartedWith(_ declaration: Declaration) throws -> Bool {
        try ledger.liveAudience(of: declaration.activity, version: declaration.version) != nil
    }

    // MARK: Devices

    /// Of a device that has not been heard of the start tokens go at once, and it itself when it has no cards any more.
    private func removeDevices(after last: DeviceID) throws -> Stage? {
        let devices = try ledger.devices(after: last, limit: Self.rows)
        for device in devices where device.seenAt < now - retention.devices {
            // It was heard of a moment ago, which is not noted yet.
            guard try ledger.arrivals(of: device.id).isEmpty else { continue }
            for token in try ledger.startTokens(of: device.id) {
                try ledger.removeStartToken(of: device.id, type: token.type)
            }
            try ledger.removeDevice(device.id)
        }
        guard devices.count == Self.rows, let last = devices.last else { return nil }
        return .devices(after: last.id)
    }
}
