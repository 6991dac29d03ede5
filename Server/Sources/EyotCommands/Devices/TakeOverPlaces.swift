import EyotDomain

/// What a phone takes along that registers as another device. Its start token proves that it is the same phone: what was started by that
/// token is not started again (R6), what its person dismissed does not come back (R13), and what a scope or an end has said of a start
/// counts for the card that it leads to.
struct TakeOverPlaces {
    let ledger: any Ledger
    let now: Instant

    /// Gives a device the start token that it has shown, and with it what those had who have shown it before.
    ///
    /// A phone has one start token for all types of an app, and shows it for one type after the other.
    ///
    /// - Returns: the user whose places a device without a user takes along; nil when there is none.
    func callAsFunction(by shown: StartToken, of device: Device) throws -> String? {
        var formerUser: String?
        let former = try ledger.devices(withStartToken: shown.token, in: device.app).filter { $0 != device.id }
        let held = try former.map { id in try ledger.startTokens(of: id).filter { $0.token == shown.token } }
        let replaced = try ledger.startToken(of: device.id, type: shown.type)
        try ledger.put(shown, in: device.app)
        if replaced.map({ $0.token != shown.token || $0.environment != shown.environment || $0.death != nil }) ?? true {
            try wakeStarts(of: shown.type, on: device)
        }
        for (id, tokens) in zip(former, held) {
            for var token in tokens where try ledger.startToken(of: device.id, type: token.type) == nil {
                token.device = device.id
                try ledger.put(token, in: device.app)
            }
            guard let holder = try ledger.device(id) else { continue }
            try take(Set(tokens.map(\.type)), of: holder, to: device)
            if device.user == nil { formerUser = holder.user ?? holder.formerUser ?? formerUser }
        }
        try RetireImported(ledger: ledger, now: now)(former)
        return formerUser
    }

    /// Lets starts be looked at again that wait where nothing is sent, or for a token that works: they may leave now. What Apple has said of
    /// them it has said of another token.
    private func wakeStarts(of type: String, on device: Device) throws {
        try ledger.forEachReplica(of: device.id) { former in
            guard former.phase == .starting, former.lease?.state == .planned,
                var activity = try ledger.activity(former.activity), activity.type == type
            else { return }
            var replica = former
            replica.lease?.suspicion = nil
            // Its page is read again that has a replica which is written.
            try ledger.update(replica)
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
            // Of one activity there may be several places: asked before the first of them is taken.
            let isKnown = try known[activity.id] ?? knows(activity, device)
            known[activity.id] = isKnown
            guard !isKnown else { return }
            // Nobody's phone may still be said to be the same person's.
            let isForOthers =
                if let user = former.user, device.user != nil, device.user != user {
                    activity.isForOthers(than: device, of: app)
                } else {
                    false
                }
            try move(replica, of: activity, to: device, isForOthers: isForOthers)
        }
    }

    /// Whether the new device has spoken of cards of an activity, or has a place there: then it knows better.
    private func knows(_ activity: Activity, _ device: Device) throws -> Bool {
        try ledger.replicas(of: device.id, named: activity.name, in: device.app)
            .contains { $0.activity == activity.id && $0.speaksForItself(at: now) }
    }

    /// - Parameter isForOthers: whether a start in the activity was for another person.
    private func move(_ replica: Replica, of known: Activity, to device: Device, isForOthers: Bool) throws {
        var activity = known
        var (former, place) = (replica, replica)
        (place.device, place.ordinal, place.instance, place.token) = (device.id, activity.nextOrdinal, nil, nil)
        if isForOthers { _ = place.cancelForOtherPerson() }
        if former.giveWay(at: now) { try ledger.update(former) }
        try ledger.insert(place)
        try ledger.note(device.appVersion, of: activity.id)
        activity.nextOrdinal += 1
        activity.wake(at: now)
        try ledger.update(activity)
        ledger.woken.insert(activity.id)
    }
}

/// What becomes of an imported device whose start token another one has shown, which is the same phone then: it goes, unless cards of it
/// run, or may yet, that the phone has not spoken of. Those end with it.
struct RetireImported {
    let ledger: any Ledger
    let now: Instant

    func callAsFunction(_ holders: [DeviceID]) throws {
        for id in holders {
            guard let device = try ledger.device(id), device.isImported, try ledger.startTokens(of: id).isEmpty else {
                continue
            }
            let replicas = try ledger.replicas(
                of: id, after: ActivityID(rawValue: 0), ordinal: 0, limit: ForgetDevice.replicasAtOnce)
            guard replicas.count < ForgetDevice.replicasAtOnce, replicas.allSatisfy(\.isOver) else { continue }
            _ = try ForgetDevice(ledger: ledger, now: now)(id)
        }
    }
}

extension Replica {
    /// Whether the place is as good for another device of the same phone. A start that is on its way at this very moment keeps its own: there
    /// its answer is awaited.
    fileprivate var isTakenAlong: Bool {
        switch phase {
        case .dismissed, .notStarted(.suspected): true
        case .starting: lease?.state != .sent
        default: false
        }
    }

    /// Whether it says what its phone has of the activity, or is to get: not where a start came to nothing.
    fileprivate func speaksForItself(at now: Instant) -> Bool {
        switch phase {
        case .notStarted: instance != nil
        case .starting: instance != nil || lease?.isOutstanding(at: now) == true
        case .waitingForToken, .live, .ended, .dismissed, .dead, .unlisted, .untracked: true
        }
    }

    /// Whether nothing of it runs, and nothing will.
    fileprivate var isOver: Bool {
        switch phase {
        case .ended, .dismissed, .notStarted: true
        case .starting, .waitingForToken, .live, .dead, .unlisted, .untracked: false
        }
    }
}
