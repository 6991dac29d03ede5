import EyotDomain
import EyotEngine

/// Checks conclusions. An operation is done when the replicas that existed have it, although others keep joining. A
/// canary stops waiting when the existing replicas of its share have it.
extension Simulation {
    /// Records the replicas that an accepted operation applies to.
    func noteHolders(of operation: Operation) throws {
        guard let id = operation.activity, operation.members == nil else { return }
        for replica in try ledger.replicas(of: id, after: 0, limit: .max) where replica.phase == .live {
            record.holders[operation.id, default: [:]][replica.ordinal] = replica.token?.version
        }
    }

    func conclude(_ id: ActivityID, _ lap: EngineCore.EndedLap) throws {
        let open = try ledger.openOperations(of: id, limit: .max)
        let former = try ledger.activity(id)?.openCanary
        _ = try transact(.conclude(id, lap))
        guard let activity = try ledger.activity(id) else { return }
        record.note("conclude \(id.rawValue) up to \(lap.goal.version), share \(lap.goal.share?.upTo ?? 0)")
        let left = Set(try ledger.openOperations(of: id, limit: .max).map(\.id))
        // For other operations a replica may be behind because of later declarations.
        let newest = open.filter { $0.version == activity.version }
        for operation in newest where !left.contains(operation.id) { try judge(operation, of: activity) }
        guard let canary = activity.openCanary, !canary.isDelivering, former?.isDelivering == true,
            !lap.hasWaitingReplicas
        else {
            return
        }
        for operation in newest where operation.version == canary.version {
            try judge(operation, of: activity, upTo: canary.upTo)
        }
    }

    /// Implements the fault `conclusionsHasty`.
    func concludeHastily(_ id: ActivityID) throws {
        guard let activity = try ledger.activity(id) else { return }
        let goal = EngineCore.LapGoal(version: .max, share: activity.openCanary?.share)
        try conclude(id, EngineCore.EndedLap(goal: goal, hasPausedReplicas: !activity.skippedEnvironments.isEmpty))
    }

    private func hasTakenEnd(of replica: Replica, in activity: Activity) -> Bool {
        let end = replica.endVersion(in: activity)
        return end > 0 && replica.acceptedVersion >= end
    }

    private func judge(_ operation: Operation, of activity: Activity, upTo last: Int = .max) throws {
        let ledger = try ledger
        let declaration = DeclarationReader(ledger, of: activity.id)
        for (ordinal, version) in (record.holders[operation.id] ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard ordinal <= last, let replica = try ledger.replica(ordinal, of: activity.id), replica.phase == .live,
                let token = replica.token, token.version == version,
                // The end of a superseded card belongs to no operation.
                replica.ending != .replaced,
                // Apple accepted its end, and its phone has reported since that it runs. It is ended again, which is
                // not part of this delivery.
                !hasTakenEnd(of: replica, in: activity),
                // Replicas that a pause skips get the state later.
                !activity.skippedEnvironments.contains(token.environment)
            else { continue }
            let due = try replica.due(
                in: activity, at: now, profile: ProfileReader(ledger)(of: activity),
                declaration: declaration.callAsFunction)
            switch due {
            case .nothing, .expired, .abandonStart: continue
            case .push, .later:
                record.violate("R1: \(operation.id) counts as delivered, and \(ordinal) of \(activity.name) is behind")
            }
        }
    }
}
