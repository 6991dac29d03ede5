/// Counts of Apple's answers to an activity's pushes.
package struct DeliveryCounts: Sendable, Hashable {
    package var accepted = 0
    package var refused = 0
    package var unknown = 0
    /// States that a replica never needed because a newer one superseded them.
    package var superseded = 0
    package var broadcasts = BroadcastCounts()

    package init() {}

    package init(_ tally: Tally) {
        (accepted, refused, unknown, superseded) = (tally.accepted, tally.refused, tally.unknown, tally.superseded)
        broadcasts = tally.broadcasts
    }

    package static func - (now: DeliveryCounts, before: DeliveryCounts) -> DeliveryCounts {
        var counts = DeliveryCounts()
        counts.accepted = now.accepted - before.accepted
        counts.refused = now.refused - before.refused
        counts.unknown = now.unknown - before.unknown
        counts.superseded = now.superseded - before.superseded
        counts.broadcasts = now.broadcasts - before.broadcasts
        return counts
    }
}

/// The completion of an operation.
package struct OperationCompletion: Sendable, Hashable {
    package var at: Instant
    /// The version for everyone that had superseded it by then; nil if none had.
    package var supersededBy: Version?
    /// The activity's counts by then.
    package var after: DeliveryCounts

    package init(at: Instant, supersededBy: Int? = nil, after: DeliveryCounts) {
        self.at = at
        self.supersededBy = supersededBy
        self.after = after
    }
}

/// The progress of an operation. It never goes back.
package enum OperationState: String, Sendable, Hashable, CaseIterable {
    /// The operation is durable, and Apple has not answered any push yet.
    case accepted
    /// Apple has answered some of the pushes.
    case delivering
    /// All replicas that it applies to have it, or are known not to get it: dead, ended, without a token.
    case done
    /// The operation was not applied, or a later one for everyone superseded it before it was done:
    /// ``Operation/successor(in:)``.
    case superseded
}

extension Operation {
    /// Whether a canary keeps its declaration from some replicas.
    package func isTriedOut(in activity: Activity) -> Bool {
        guard let canary = activity.openCanary else { return false }
        return members == nil && version >= canary.oldest
    }

    /// Completes it when its activity has come to rest: nothing is due for any replica, now or after a pause.
    package mutating func complete(in activity: Activity, at now: Instant) {
        completion = OperationCompletion(
            at: now, supersededBy: successor(in: activity), after: DeliveryCounts(activity.tally))
    }

    /// The newest version for everyone that supersedes it; nil if none does.
    package func successor(in activity: Activity) -> Int? {
        let newest = endsSome ? 0 : yieldsToEndsAlone(in: activity) ? activity.end ?? 0 : activity.newestCommon
        return newest > version ? newest : nil
    }

    /// An end for a scope stands, whatever is declared later (R5).
    private var endsSome: Bool { verb == .end && members != nil }

    private func yieldsToEndsAlone(in activity: Activity) -> Bool {
        verb == .end || startsCards || mayStand(in: activity)
    }

    /// Its starts leave even if something newer is declared, with the newest state. Pending members may be among them.
    private var startsCards: Bool { starting > 0 || (pending > 0 && (members == nil || verb == .start)) }

    /// Whether its scoped state is the later truth, or may yet be (R14): see ``Replica/desiredState(in:)``.
    private func mayStand(in activity: Activity) -> Bool {
        guard members != nil, let asOf else { return false }
        return activity.latestAsOf.map { $0 < asOf } ?? true
    }

    /// Derives the progress of the operation.
    ///
    /// - Parameter activity: the operation's activity; nil if there was none or it was removed.
    package func state(in activity: Activity?) -> OperationState {
        guard outcome.isTaken else { return .superseded }
        // An operation is kept longer than its activity.
        if let completion { return completion.supersededBy == nil ? .done : .superseded }
        guard let activity, successor(in: activity) == nil else { return .superseded }
        return counts(in: activity) == DeliveryCounts() ? .accepted : .delivering
    }

    /// The counts of the activity from the acceptance of the operation until its completion, or until now.
    package func counts(in activity: Activity?) -> DeliveryCounts {
        (completion?.after ?? activity.map { DeliveryCounts($0.tally) } ?? before) - before
    }
}
