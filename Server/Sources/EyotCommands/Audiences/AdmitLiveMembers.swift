import EyotContract
import EyotDomain

/// The admission of devices that join a live audience: it starts a card on each. A transaction processes few devices.
package struct AdmitLiveMembers: UseCase {
    /// How many pairs of a device and an audience one transaction checks.
    package static let looks = 50
    /// Audiences that one round checks, of several apps.
    private static let audiences = 10 * LiveAudience.perApp

    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// Checks changed devices against each live audience of their app.
    ///
    /// - Returns: Whether there was a changed device.
    package func lookAtChanged(limit: Int = looks) throws -> Bool {
        let changed = try ledger.changedDevices(limit: limit)
        var left = limit
        for id in changed where left > 0 {
            try ledger.removeChanged(id)
            left -= 1
            guard let device = try ledger.device(id), !device.isForgotten else { continue }
            let audiences = try ledger.liveAudiences(of: device.app, limit: LiveAudience.perApp)
            left -= audiences.count
            for audience in audiences where try audience.holds(id, in: ledger, at: now) {
                try offer(audience, to: device)
            }
        }
        return !changed.isEmpty
    }

    /// Moves a device behind all devices that have changed by now, because it fails the transaction that checks it.
    package static func putOff(_ device: DeviceID, in ledger: any Ledger) throws {
        try ledger.removeChanged(device)
        if try ledger.device(device) != nil { try ledger.noteChanged(device) }
    }

    /// A part of the devices that were in an audience when it was declared, or joined meanwhile. `looked` of the
    /// audience says how far they are checked.
    package struct Look: Sendable {
        var audience: LiveAudience
        var devices: [DeviceID] = []
        var isLast = true

        package var app: AppID { audience.app }
        package var activity: ActivityID { audience.activity }
    }

    /// The live audiences with devices that are still to be checked, a few at a time. It only reads.
    package static func unlooked(in ledger: any Ledger) throws -> [LiveAudience] {
        try ledger.unlookedLiveAudiences(limit: audiences).filter { try !isTelling($0.activity, in: ledger) }
    }

    /// The devices of an audience that are to be checked next. It only reads.
    package static func look(_ audience: LiveAudience, in ledger: any Ledger, at now: Instant) throws -> Look {
        let devices = try audience.looked.flatMap { place in
            try audience.asked(in: ledger, at: now) {
                try ledger.deviceIDs(in: $0, of: audience.app, after: place, limit: looks)
            }
        }
        guard let devices else { return Look(audience: audience) }
        return Look(audience: audience, devices: devices, isLast: devices.count < looks)
    }

    /// Whether the activity has lists of pending starts or of scopes that include pending starts. Those are processed
    /// first.
    private static func isTelling(_ activity: ActivityID, in ledger: any Ledger) throws -> Bool {
        try ledger.memberLists(of: activity, limit: MemberList.listsPerApp).contains { $0.purpose != .scope }
    }

    /// Starts cards on the devices of a look that have none.
    package func take(_ look: Look) throws {
        let version = look.audience.start.attributesVersion
        guard let known = try ledger.liveAudience(of: look.audience.activity, version: version), known == look.audience
        else { return }
        for id in look.devices {
            guard let device = try ledger.device(id), !device.isForgotten,
                let audience = try ledger.liveAudience(of: known.activity, version: version),
                try audience.holds(id, in: ledger, at: now)
            else { continue }
            try offer(audience, to: device)
        }
        guard var audience = try ledger.liveAudience(of: known.activity, version: version) else { return }
        audience.looked = look.isLast ? nil : look.devices.last
        try ledger.put(audience)
    }

    /// Starts a card on a device once, unless the device has had a card of this generation already (R6, R13).
    private func offer(_ former: LiveAudience, to device: Device) throws {
        var audience = former
        guard var activity = try ledger.activity(audience.activity), !activity.isEnded, let type = activity.type else {
            return try ledger.remove(audience)
        }
        guard audience.started < audience.asked.limit,
            try ledger.replicas(of: device.id, named: activity.name, in: activity.app)
                .allSatisfy({ $0.activity != activity.id || $0.phase.canStillBegin })
        else { return }
        var terms = audience.start
        terms.startsAt = max(terms.startsAt, now)
        // The first states of an activity that ran for days are gone.
        if try ledger.declaration(terms.attributesVersion, of: activity.id) == nil {
            terms.attributesVersion = activity.declaredState
        }
        let keep = ReserveStart(
            transaction: transaction, terms: terms, type: type, profile: try ProfileReader(ledger)(of: activity),
            acceptedAt: now, personNumber: device.personNumber)
        guard try decodes(activity, terms, type, on: device), try keep(for: device, in: &activity) == nil
        else { return }
        audience.started += 1
        try ledger.put(audience)
        transaction.countEligible(CountedPhone(device), of: activity)
        if terms.startsAt > now { activity.startsAt = max(activity.startsAt ?? terms.startsAt, terms.startsAt) }
        activity.wake(at: now)
        try ledger.update(activity)
        ledger.woken.insert(activity.id)
    }
}

extension Replica.Phase {
    /// Whether a start failed for a reason that may have passed, so that the phone has never had the card. A start that
    /// waits for its app to be resumed leaves earlier if the phone shows a token that works.
    fileprivate var canStillBegin: Bool {
        guard case .notStarted(let failure) = self else { return false }
        return [.refused, .suspected, .noStartToken, .tooManyStarts].contains(failure)
    }
}

extension AdmitLiveMembers {
    /// Whether the device's build of the app can decode what the card would show. Here no caller is left to be refused.
    private func decodes(
        _ activity: Activity, _ terms: StartTerms, _ type: String, on device: Device
    ) throws -> Bool {
        let attributes = try ledger.declaration(terms.attributesVersion, of: activity.id)?.attributes
        let version = terms.isScoped ? terms.attributesVersion : activity.declaredState
        let state = try ledger.declaration(version, of: activity.id)?.content.state
        var schemas = BuildSchemas(ledger: ledger, app: activity.app, type: type)
        return try schemas.refusal(of: attributes, state, on: [device.appVersion]) == nil
    }
}

/// The note that a device may have joined a live audience. It is written in the transaction that changes the device.
struct QueueLiveCheck {
    /// The most devices of one user that are noted.
    static let devicesOfUser = 1_000

    let ledger: any Ledger

    func callAsFunction(_ device: Device) throws {
        guard try !ledger.liveAudiences(of: device.app, limit: 1).isEmpty else { return }
        try ledger.noteChanged(device.id)
    }

    func callAsFunction(of user: String, in app: AppID) throws {
        guard try !ledger.liveAudiences(of: app, limit: 1).isEmpty else { return }
        for id in try ledger.deviceIDs(in: .user(user), of: app, limit: Self.devicesOfUser) {
            try ledger.noteChanged(id)
        }
    }
}

extension LiveAudience {
    /// The store's answer about the members of the audience. Nil if it cannot be asked, because a segment that it names
    /// is gone or has become larger than an audience may be. The audience then has no members.
    fileprivate func asked<Answer>(
        in ledger: any Ledger, at now: Instant, _ ask: (Audience) throws -> Answer
    ) throws -> Answer? {
        do {
            let audience = try Audience(json: asked.audience, at: "audience")
            return try ask(ResolveAudience(Transaction(ledger, at: now), app: app)(audience))
        } catch let error as EyotError where error.code != .internalFault {
            return nil
        }
    }

    fileprivate func holds(_ device: DeviceID, in ledger: any Ledger, at now: Instant) throws -> Bool {
        try asked(in: ledger, at: now) { try ledger.isMember(device, of: $0, in: app) } ?? false
    }
}
