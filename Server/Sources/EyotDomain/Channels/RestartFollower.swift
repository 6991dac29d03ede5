/// The start of a new card in place of one that followed a channel which Apple no longer has (R1). Part of a
/// transaction.
///
/// No push reaches the old card. The new one follows the next edition of the channel, or has a token. When the phone
/// reports it, it takes the name, and the old card is ended. A phone without a start token keeps the old card, which
/// stays behind until its app runs, or until the phone has a start token again.
package struct RestartFollower: UseCase {
    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// - Parameter activity: changed here; the caller stores it.
    /// - Returns: whether a start is planned.
    package func callAsFunction(_ follower: Replica, in activity: inout Activity) throws -> Bool {
        guard let device = try device(toRestart: follower, in: activity) else { return false }
        var place = Replica(
            activity: activity.id, ordinal: activity.nextOrdinal, device: device.id, phase: .starting,
            lease: Lease(version: activity.declaredState), startsAt: now, createdAt: now)
        place.inherit(from: follower)
        (place.keeping, place.closedVersion) = (follower.keeping, follower.closedVersion)
        (place.alertedVersion, place.personNumber) = (activity.version(for: place.ordinal), follower.personNumber)
        try transaction.insert(place, in: activity.app)
        try ledger.note(device.appVersion, of: activity.id)
        activity.nextOrdinal += 1
        activity.wake(at: now)
        return true
    }

    /// Whether a new card is to be started in its place. A start that led to no card is not repeated for the same
    /// state by this.
    package func isDue(_ follower: Replica, in activity: Activity) throws -> Bool {
        try device(toRestart: follower, in: activity) != nil
    }

    /// The phone of a card, if a new card may be started in its place.
    private func device(toRestart follower: Replica, in activity: Activity) throws -> Device? {
        guard follower.isCutOff(in: activity), !follower.isEnding(in: activity), !activity.isOver(at: now),
            let type = activity.type,
            // Read first, because phones without one are most of those that keep such cards.
            let token = try ledger.startToken(of: follower.device, type: type), token.death == nil,
            try ledger.declaration(activity.declaredState, of: activity.id)?.content.alertOfStarts != nil,
            let device = try ledger.device(follower.device), !device.isForgotten
        else { return nil }
        let others = try ledger.replicas(of: device.id, named: activity.name, in: activity.app)
            .filter { $0.activity == activity.id }
        let version = activity.version(for: activity.nextOrdinal)
        let isTried = others.contains {
            $0.ordinal > follower.ordinal && ($0.phase == .starting || $0.hasLostStart && $0.alertedVersion >= version)
        }
        guard !isTried,
            Replica.startFailure(
                for: StartCandidate(device, token), existing: others, wish: StartWish(startsAt: now), at: now) == nil,
            try ledger.allowsStart(on: device.id, at: now, in: activity)
        else { return nil }
        return device
    }
}
