extension Replica {
    /// What led to a place.
    package enum Origin: Int, Sendable, Hashable, CaseIterable {
        /// A call asks for the card, or the phone has named it.
        case asked
        /// It repeats a start that led to no card, and waits for other starts of its phone.
        case again
        /// A call asks for the card although a person has removed one before (R13).
        case despiteDismissal
    }

    /// Whether it repeats a start that led to no card.
    package var isRestart: Bool { origin == .again }
}

/// Starts that left and led to no card (R6).
extension Replica {
    /// Records that its start cannot lead to a card any more.
    package mutating func loseStart(_ reason: StartFailure) {
        guard phase == .starting else { return }
        alertedVersion = max(alertedVersion, lease?.alerted ?? 0)
        let failure = lease?.cancellation ?? reason
        // A further start needs the attributes' version, if the phone is heard of later.
        lease = failure.isSilence ? lease.map { Lease(version: $0.version) } : nil
        (phase, retry) = (.notStarted(failure), nil)
    }

    /// Records that its phone was heard of after the start, and shows no card of it.
    package mutating func refuteStart() {
        guard hasSilentStart else { return }
        (phase, lease) = (.notStarted(.noCardHeardOf), nil)
    }

    /// Whether its start left and led to no card.
    package var hasLostStart: Bool {
        if case .notStarted(let failure) = phase { failure.isLostStart && instance == nil } else { false }
    }

    /// Whether its start left, and only the phone's silence speaks against its card. The phone may show the card.
    package var hasSilentStart: Bool {
        if case .notStarted(let failure) = phase { failure.isSilence && instance == nil } else { false }
    }

    /// Whether its start left in silence, and the card that it may have led to can still run.
    package func mayRunUnheard(at now: Instant) -> Bool {
        hasSilentStart && now < (startsAt ?? createdAt) + Lease.lifetime + Self.cardLifetime
    }

    /// Whether a phone's list of cards without this one proves that its start led to none. A push that is being sent
    /// still has its answer to come, so the list proves nothing.
    package var isRefutedByList: Bool {
        guard phase == .starting, instance == nil, let lease else { return false }
        return lease.state == .accepted || lease.state == .unknown
    }
}

/// A further start of a card with a lost start, as long as the declaration still wants the card (R6). Part of a
/// transaction.
///
/// The lost place stays with its reason, so the places of a phone say how often a card was tried. The further start
/// gets a place of its own. A card that appears before it leaves takes that place and is pushed its state: it may be
/// the app's own, and only a list from before the start may have spoken against the start. Later it takes the lost
/// place.
///
/// Silence is no evidence: a phone with a force-quit app may show the card and report nothing. After silence the
/// further start waits for the time that the type's profile states, or for a word of the phone, which brings it
/// forward (``EndSilence``).
package struct RestartLost: UseCase {
    /// Seconds before the first, second and third further start of a card. There are no more than these.
    package static let pauses = [10.0, 300.0, 1_800.0]
    /// The most further starts if only silence speaks against the card.
    package static let silentLimit = 2
    /// Seconds after a start for which a list without its card may be older than the card. The SDK ends a report that
    /// takes a minute, and a push takes some seconds. A further start within them could put a second card on the phone.
    package static let longestReport = 90.0

    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// Plans the further start.
    ///
    /// - Parameters:
    ///   - former: the replica before its start was lost.
    ///   - lost: the replica as it is stored now.
    ///   - activity: changed here; the caller stores it.
    ///   - notBefore: the earliest moment, because of reports that may be under way; nil for none.
    /// - Returns: when the further start leaves; nil if there is none.
    package func callAsFunction(
        _ former: Replica, _ lost: Replica, in activity: inout Activity, notBefore: Instant? = nil
    ) throws -> Instant? {
        guard lost.hasLostStart, let lease = former.lease, lease.cancellation == nil, !activity.isOver(at: now),
            !lost.isEnding(in: activity), let device = try ledger.device(lost.device), !device.isForgotten,
            let type = activity.type
        else { return nil }
        let others = try ledger.replicas(of: device.id, named: activity.name, in: activity.app)
            .filter { $0.activity == activity.id }
        guard let pause = try pause(after: others, lost, in: activity) else { return nil }
        let startsAt = max(now + pause, lease.sentAt.map { $0 + Self.longestReport } ?? now, notBefore ?? now)
        let failure = Replica.startFailure(
            for: StartCandidate(device, try ledger.startToken(of: device.id, type: type)), existing: others,
            wish: StartWish(startsAt: startsAt, ignoresSilence: true), at: now)
        guard failure == nil, try ledger.allowsStart(on: device.id, at: startsAt, in: activity) else { return nil }
        var place = former
        place.phase = .starting
        place.ordinal = activity.nextOrdinal
        place.lease = Lease(version: lease.version)
        (place.startsAt, place.createdAt) = (startsAt, now)
        (place.acceptedVersion, place.blockedVersion, place.blockedReason, place.following) = (0, 0, nil, .none)
        place.origin = .again
        try transaction.insert(place, in: activity.app)
        try ledger.note(device.appVersion, of: activity.id)
        activity.nextOrdinal += 1
        activity.wake(at: startsAt)
        return startsAt
    }

    /// Seconds before the further start; nil if there is none.
    private func pause(after places: [Replica], _ last: Replica, in activity: Activity) throws -> Double? {
        let lost = places.filter(\.hasLostStart)
        guard lost.count(where: \.hasSilentStart) <= Self.silentLimit, Self.pauses.indices.contains(lost.count - 1)
        else { return nil }
        guard last.hasSilentStart else { return Self.pauses[lost.count - 1] }
        let silence = try ProfileReader(ledger)(of: activity).restartAfter
        return silence > 0 ? Double(silence) : nil
    }
}

extension Ledger {
    /// Whether the budget of a phone has room for a start at a moment.
    package func allowsStart(on device: DeviceID, at startsAt: Instant, in activity: Activity) throws -> Bool {
        let starts = try remoteStarts(
            of: device, after: startsAt - TypeProfile.startWindow, before: startsAt + TypeProfile.startWindow,
            limit: TypeProfile.startLimit * 2)
        return try ProfileReader(self)(of: activity).allowsStart(among: starts)
    }

    /// Until when a further start waits for another start of its phone; nil if it may leave. Apple stores one push for
    /// a phone that is away, so lost starts are repeated one after the other.
    package func moment(forRestart replica: Replica, at now: Instant) throws -> Instant? {
        var moment: Instant?
        try forEachReplica(of: replica.device) { other in
            guard other.phase == .starting, let lease = other.lease, let sentAt = lease.sentAt,
                lease.isOutstanding(at: now)
            else { return }
            moment = Instant.soonest(moment, min(sentAt + Lease.lifetime, RestartPoll.next(after: now)))
        }
        return moment
    }
}

/// The moments at which waiting further starts are looked at again. They are the same for all starts, so that an
/// activity wakes once for all of them.
private enum RestartPoll {
    private static let seconds = 5

    static func next(after now: Instant) -> Instant { Instant(second: (now.second / seconds + 1) * seconds) }
}
