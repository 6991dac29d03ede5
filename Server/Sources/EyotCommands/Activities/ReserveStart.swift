import EyotDomain

/// The reservation of a place, with a lease, for a device that is to get a card.
struct ReserveStart: UseCase {
    let transaction: Transaction
    let terms: StartTerms
    let type: String
    let profile: TypeProfile
    /// When the call that wants the card was accepted.
    let acceptedAt: Instant
    /// The number of changes of person when the device was found in the audience.
    let personNumber: Int

    /// - Returns: Why the device gets no place, or nil if a place is reserved.
    func callAsFunction(for device: Device, in activity: inout Activity) throws -> StartFailure? {
        let existing = try ledger.replicas(of: device.id, named: activity.name, in: activity.app)
            .filter { $0.activity == activity.id }
        if isForFormerUser(device.personNumber, in: activity, of: try ledger.app(activity.app)) { return .otherPerson }
        let decision = StartDecision(transaction: transaction, terms: terms, type: type, profile: profile)
        if let failure = try decision.failure(for: device, existing: existing, insteadOf: activity.id) {
            if terms.restartsDismissed { try reinstateStarts(among: existing, in: activity.app) }
            return failure
        }
        for former in existing {
            var yielding = former
            if yielding.yieldName(at: now) { try transaction.update(yielding, from: former, in: activity.app) }
        }
        try transaction.insert(place(for: device.id, in: activity), in: activity.app)
        try ledger.note(device.appVersion, of: activity.id)
        activity.nextOrdinal += 1
        return nil
    }

    /// Reinstates starts that a dismissal has cancelled or would cancel. An outstanding start bars another one, so it
    /// is the start that the caller wants.
    private func reinstateStarts(among existing: [Replica], in app: AppID) throws {
        for former in existing {
            var replica = former
            if replica.reinstateStart() { try transaction.update(replica, from: former, in: app) }
        }
    }

    /// Whether a device without a known start may get a card.
    ///
    /// - Returns: Why the device gets none, or nil if it gets one.
    func failure(for candidate: StartCandidate, in activity: Activity, of app: App?) -> StartFailure? {
        if isForFormerUser(candidate.personNumber, in: activity, of: app) { return .otherPerson }
        return candidate.failure ?? (profile.allowsStart(among: []) ? nil : .tooManyStarts)
    }

    /// Whether the phone has changed its person since it was found in the audience of a personal activity (R12).
    private func isForFormerUser(_ number: Int, in activity: Activity, of app: App?) -> Bool {
        guard number > personNumber, let app else { return false }
        return activity.isPersonal(in: app)
    }

    /// The next place of an activity.
    func place(for device: DeviceID, in activity: Activity) -> Replica {
        var replica = Replica(
            activity: activity.id, ordinal: activity.nextOrdinal, device: device, phase: .starting,
            lease: Lease(version: terms.attributesVersion), startsAt: terms.startsAt, createdAt: acceptedAt)
        if terms.isScoped { (replica.scopedState, replica.scopedAsOf) = (terms.attributesVersion, terms.asOf) }
        replica.alertedVersion = terms.alerted
        replica.personNumber = personNumber
        if terms.restartsDismissed { replica.origin = .despiteDismissal }
        return replica
    }
}

/// The decision whether a device may get a card. It only reads, so a caller can ask beforehand.
struct StartDecision: UseCase {
    let transaction: Transaction
    let terms: StartTerms
    let type: String
    let profile: TypeProfile

    /// - Parameters:
    ///   - existing: The device's replicas of the activity's generation.
    ///   - activity: The activity, or nil if it does not exist yet.
    /// - Returns: Why the device gets none, or nil if it gets one.
    func failure(
        for device: Device, existing: [Replica], insteadOf activity: ActivityID?
    ) throws -> StartFailure? {
        let failure = Replica.startFailure(
            for: StartCandidate(device, try ledger.startToken(of: device.id, type: type)), existing: existing,
            wish: terms.wish, at: now)
        return try failure ?? (hasStartLeft(device, insteadOf: activity) ? nil : .tooManyStarts)
    }

    /// Whether the phone's budget has room for a start. Starts that this one replaces do not count.
    private func hasStartLeft(_ device: Device, insteadOf activity: ActivityID?) throws -> Bool {
        let others = try ledger.remoteStarts(
            of: device.id, after: terms.startsAt - TypeProfile.startWindow,
            before: terms.startsAt + TypeProfile.startWindow, limit: TypeProfile.startLimit * 2
        ).filter { $0.activity != activity || !$0.isPlanned(after: now) }
        return profile.allowsStart(among: others)
    }
}
