import EyotDomain

/// The move of places to a device that shows another device's start token. The token proves that it is the same phone.
/// What that token started is not started again (R6), and what the user dismissed does not come back (R13). A scope or
/// an end that applied to a start counts for the card of that start.
struct TakeOverPlaces: UseCase {
    let transaction: Transaction

    /// Gives a device the start token that it has shown, and the places of the devices that have shown it before.
    ///
    /// A phone has one start token for all types of an app, and shows it for one type after the other.
    ///
    /// - Returns: The former user of these places if the device has no user; nil if there is none.
    func callAsFunction(by shown: StartToken, of device: Device) throws -> String? {
        var formerUser: String?
        let former = try ledger.devices(withStartToken: shown.token, in: device.app).filter { $0 != device.id }
        let held = try former.map { id in try ledger.startTokens(of: id).filter { $0.token == shown.token } }
        let replaced = try ledger.startToken(of: device.id, type: shown.type)
        try transaction.put(shown, from: replaced, in: device.app)
        if replaced.map({ $0.token != shown.token || $0.environment != shown.environment || $0.death != nil }) ?? true {
            try wake(shown.type, on: device)
        }
        for (id, tokens) in zip(former, held) {
            for var token in tokens where try ledger.startToken(of: device.id, type: token.type) == nil {
                token.device = device.id
                try transaction.put(token, from: nil, in: device.app)
            }
            guard let holder = try ledger.device(id) else { continue }
            try take(Set(tokens.map(\.type)), of: holder, to: device)
            if device.user == nil { formerUser = holder.user ?? holder.formerUser ?? formerUser }
        }
        try RetireImported(transaction: transaction)(former)
        return formerUser
    }

    /// Wakes planned starts that a pause has skipped or that wait for a working token, because they may leave now.
    /// Apple's refusals applied to another token. Cards of a lost channel may get a new one now.
    private func wake(_ type: String, on device: Device) throws {
        try ledger.forEachReplica(of: device.id) { former in
            let isPlanned = former.phase == .starting && former.lease?.state == .planned
            guard isPlanned || former.hasLostChannel, var activity = try ledger.activity(former.activity),
                activity.type == type, isPlanned || former.isCutOff(in: activity)
            else { return }
            var replica = former
            replica.lease?.suspicion = nil
            // The update lets the engine read the replica's page again.
            try transaction.update(replica, from: former, in: device.app)
            activity.wake(at: now)
            try ledger.update(activity)
            ledger.woken.insert(activity.id)
        }
    }

    private func take(_ types: Set<String>, of former: Device, to device: Device) throws {
        guard let app = try ledger.app(device.app) else { return }
        var known: [ActivityID: Bool] = [:]
        try ledger.forEachReplica(of: former.id) { replica in
            guard replica.isTakenAlong, let activity = try ledger.activity(replica.activity),
                types.contains(activity.type ?? "")
            else { return }
            // An activity may have several places of the phone, so this is decided before the first one moves.
            let isKnown = try known[activity.id] ?? knows(activity, device)
            known[activity.id] = isKnown
            guard !isKnown else { return }
            // A phone without a user may still be the same user's.
            let isForOthers =
                if let user = former.user, device.user != nil, device.user != user {
                    activity.isForOthers(than: device, of: app)
                } else {
                    false
                }
            try move(replica, of: activity, to: device, isForOthers: isForOthers)
        }
    }

    /// Whether the new device has reported cards of an activity, or has a place there. Its own state is newer.
    private func knows(_ activity: Activity, _ device: Device) throws -> Bool {
        try ledger.replicas(of: device.id, named: activity.name, in: device.app)
            .contains { $0.activity == activity.id && $0.speaksForItself(at: now) }
    }

    /// - Parameter isForOthers: Whether a start in the activity was for another user.
    private func move(_ replica: Replica, of known: Activity, to device: Device, isForOthers: Bool) throws {
        var activity = known
        var (former, place) = (replica, replica)
        (place.device, place.ordinal, place.instance, place.token) = (device.id, activity.nextOrdinal, nil, nil)
        place.personNumber = device.personNumber
        if isForOthers { _ = place.cancelForOtherPerson() }
        if former.yieldName(at: now) { try transaction.update(former, from: replica, in: device.app) }
        try transaction.insert(place, in: activity.app)
        try ledger.note(device.appVersion, of: activity.id)
        activity.nextOrdinal += 1
        activity.wake(at: now)
        try ledger.update(activity)
        ledger.woken.insert(activity.id)
    }
}

/// The removal of imported devices after another device has shown their start token, because that is the same phone. An
/// imported device stays while it has cards that run, or may yet run, and that the phone has not reported. It would end
/// them.
struct RetireImported: UseCase {
    let transaction: Transaction

    func callAsFunction(_ holders: [DeviceID]) throws {
        for id in holders {
            guard let device = try ledger.device(id), device.isImported, try ledger.startTokens(of: id).isEmpty else {
                continue
            }
            let replicas = try ledger.replicas(
                of: id, after: ActivityID(rawValue: 0), ordinal: 0, limit: ForgetDevice.replicasAtOnce)
            guard replicas.count < ForgetDevice.replicasAtOnce, replicas.allSatisfy(\.isOver) else { continue }
            _ = try ForgetDevice(transaction)(id)
        }
    }
}

extension Replica {
    /// Whether the place can move to another device of the same phone. A start that is being sent keeps its place,
    /// because its answer is awaited there.
    fileprivate var isTakenAlong: Bool {
        switch phase {
        case .dismissed, .notStarted(.suspected): true
        case .starting: lease?.state != .sent
        default: false
        }
    }

    /// Whether it says what its phone shows of the activity, or is about to show. A start that failed does not.
    fileprivate func speaksForItself(at now: Instant) -> Bool {
        switch phase {
        case .notStarted: instance != nil
        case .starting: instance != nil || lease?.isOutstanding(at: now) == true
        case .waitingForToken, .live, .ended, .dismissed, .dead, .unlisted, .untracked: true
        }
    }

    /// Whether it has no running card and will have none.
    fileprivate var isOver: Bool {
        switch phase {
        case .ended, .dismissed, .notStarted: true
        case .starting, .waitingForToken, .live, .dead, .unlisted, .untracked: false
        }
    }
}
