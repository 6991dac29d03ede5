import APNSWire
import EyotContract
import EyotDomain

/// The transaction that binds a few pushes for an environment in which their app is paused, to see whether Apple takes
/// them (R8).
///
/// The pushes are due anyway. If no due push can show it, the pause is lifted. If something is still wrong, the next
/// answer pauses the app again, and the intervals continue to grow.
package struct TakeTrial: UseCase {
    /// Activities that are looked at.
    private static let activities = 20
    /// Replicas that are looked at in each.
    private static let replicas = 100

    package let transaction: Transaction
    private let held: HeldLeases

    /// - Parameter held: The leases of the shards that this node pushes for.
    package init(_ transaction: Transaction, holding held: HeldLeases = .unbounded) {
        self.transaction = transaction
        self.held = held
    }

    package func callAsFunction(_ trial: Trial) throws -> TakenPages {
        var taken = TakenPages()
        guard let former = try ledger.app(trial.app), former.isTrialDue(in: trial.environment, at: now) else {
            return taken
        }
        let activities = try activities(of: trial)
        let own = activities.filter(held.activities.contains)
        // Another node tries, which pushes for an activity that can show it.
        guard !own.isEmpty || activities.isEmpty else { return taken }
        var app = former
        app.noteTrial(in: trial.environment, at: now)
        try transaction.update(app, from: former)
        for id in own where taken.count < Trials.pushes {
            taken.pages = try builder(id, trial, of: app, onto: taken.pages)
        }
        for index in taken.pages.indices {
            taken.pages[index].isTrial = true
            taken.pages[index].stamp(from: now, before: held.end(of: taken.pages[index].shard))
            try MarkAlerts(transaction)(of: &taken.pages[index])
        }
        if taken.count == 0, own == activities { _ = try LiftPause(transaction)(of: trial.app, in: trial.environment) }
        return taken
    }

    private func activities(of trial: Trial) throws -> [ActivityID] {
        let due = try ledger.activitiesDue(
            of: trial.app, after: Instant(microseconds: 0), upTo: now, limit: Self.activities)
        let passed = try ledger.activitiesPassingOver(trial.environment, of: trial.app, limit: Self.activities)
        return due + passed.filter { !due.contains($0) }
    }

    private func builder(
        _ id: ActivityID, _ trial: Trial, of app: App, onto pages: [TakenPage]
    ) throws -> [TakenPage] {
        guard let activity = try ledger.activity(id), app.halt(of: activity) == nil else { return pages }
        var open = app
        open.pauses[trial.environment] = nil
        var builder = try PageBuilder(
            ledger: ledger, app: open, activity: activity, profile: try ProfileReader(ledger)(of: activity), now: now,
            holding: held, pages: pages, probation: ProbationLanes())
        let before = pages.reduce(0) { $0 + $1.count }
        for replica in try ledger.replicas(of: id, after: 0, limit: Self.replicas) {
            guard before + builder.count < Trials.pushes else { break }
            if try isCandidate(replica, in: activity, trial, of: app) { try builder.take(replica) }
        }
        return builder.handOver()
    }

    /// Whether a push to the replica can show if the pause is over. The replica must be of this environment, without a
    /// probe, and not expired.
    private func isCandidate(_ replica: Replica, in activity: Activity, _ trial: Trial, of app: App) throws -> Bool {
        guard app.mayTry(replica, in: trial.environment), replica.expiresAt.map({ $0 > now }) ?? true else {
            return false
        }
        switch replica.phase {
        case .live: return replica.token?.environment == trial.environment && replica.token?.probing == false
        case .starting:
            guard replica.lease?.state == .planned, replica.lease?.probing == false, let type = activity.type,
                !replica.hasStartInDoubt(until: held.doubts(of: activity.id))
            else { return false }
            return try ledger.startToken(of: replica.device, type: type)?.environment == trial.environment
        case .waitingForToken, .ended, .dismissed, .dead, .unlisted, .notStarted, .untracked: return false
        }
    }
}

/// The end of an app's pause in one environment, because Apple takes its pushes or no push can show it. Part of a
/// transaction.
package struct LiftPause: UseCase {
    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// - Returns: Whether the app was paused there.
    package func callAsFunction(of id: AppID, in environment: PushEnvironment) throws -> Bool {
        guard let former = try ledger.app(id), former.pauses[environment] != nil else { return false }
        var app = former
        app.pauses[environment] = nil
        try transaction.update(app, from: former)
        ledger.woken.formUnion(try ledger.dueActivities(at: now, limit: Self.hints).map(\.id))
        return true
    }

    /// How many due activities are hinted at. The engine finds further ones in the store.
    private static let hints = 1_000
}
