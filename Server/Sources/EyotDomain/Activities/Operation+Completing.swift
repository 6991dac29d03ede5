/// What Apple said to an activity's pushes, counted.
package struct DeliveryCounts: Sendable, Hashable {
    package var accepted = 0
    package var refused = 0
    package var unknown = 0
    /// States that a replica never needed, since a newer one overtook them.
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

/// How an operation ended.
package struct OperationCompletion: Sendable, Hashable {
    package var at: Instant
    /// The version for everyone that had taken its place by then.
    package var supersededBy: Int?
    /// What had happened to the activity's pushes by then.
    package var after: DeliveryCounts

    package init(at: Instant, supersededBy: Int? = nil, after: DeliveryCounts) {
        self.at = at
        self.supersededBy = supersededBy
        self.after = after
    }
}

/// How far an operation has got. It never goes back.
package enum OperationState: String, Sendable, Hashable, CaseIterable {
    /// It is durable, and Apple has said nothing yet.
    case accepted
    /// Apple has answered some of the pushes.
    case delivering
    /// Everybody whom it concerns has it, or is known not to get it: dead, ended, without a token.
    case done
    /// It was not applied, or a later one for everyone took its place before it was done, as far as one can:
    /// ``Operation/successor(in:)``.
    case superseded
}

extension Operation {
    /// Whether a canary of its activity keeps what it is about from some.
    package func isTriedOut(in activity: Activity) -> Bool {
        guard let canary = activity.openCanary else { return false }
        return members == nil && version >= canary.oldest
    }

    /// Takes in that its activity has come to rest: nothing is owed to anybody, now or after a pause.
    package mutating func complete(in activity: Activity, at now: Instant) {
        completion = OperationCompletion(
            at: now, supersededBy: successor(in: activity), after: DeliveryCounts(activity.tally))
    }

    /// The newest version for everyone that has taken its place; nil where none has.
    package func successor(in activity: Activity) -> Int? {
        let newest = endsSome ? 0 : yieldsToEndsAlone(in: activity) ? activity.end ?? 0 : activity.newestForEveryone
        return newest > version ? newest : nil
    }

    /// Whoever is ended by a scope is ended by that, whatever comes later (R5).
    private var endsSome: Bool { verb == .end && members != nil }

    private func yieldsToEndsAlone(in activity: Activity) -> Bool {
        verb == .end || startsCards || mayStand(in: activity)
    }

    /// Its starts leave all the same, with what is newest then. Those who wait on lists may be among them.
    private var startsCards: Bool { starting > 0 || (pending > 0 && (members == nil || verb == .start)) }

    /// Whether what it says to some is, or may yet be, the later truth (R14): see ``Replica/desiredState(in:)``.
    private func mayStand(in activity: Activity) -> Bool {
        guard members != nil, let asOf else { return false }
        return activity.latestAsOf.map { $0 < asOf } ?? true
    }

    /// - Parameter activity: what it is about, nil where there was none.
    package func state(in activity: Activity?) -> OperationState {
        guard outcome.isTaken else { return .superseded }
        // It is kept for longer than its activity.
        if let completion { return completion.supersededBy == nil ? .done : .superseded }
        guard let activity, successor(in: activity) == nil else { return .superseded }
        return counts(in: activity) == DeliveryCounts() ? .accepted : .delivering
    }

    /// What has happened to the activity's pushes from when it was accepted until it was complete, or until now.
    package func counts(in activity: Activity?) -> DeliveryCounts {
        (completion?.after ?? activity.map { DeliveryCounts($0.tally) } ?? before) - before
    }
}
