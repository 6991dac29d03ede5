import EyotContract
import EyotDomain

/// What follows when a phone is another person's from now on (R12). Its private cards end, whatever state their starts are in, and
/// what was declared for its former user alone does not concern the next one. When the user is back, the next call starts the cards.
struct LeaveFormerUser {
    let ledger: any Ledger
    let now: Instant

    /// - Parameters:
    ///   - device: as it stands now.
    ///   - former: its user before; nil when it had none.
    /// - Returns: cards that end, as far as the phone has spoken of them.
    @discardableResult
    func callAsFunction(on device: Device, formerly former: String?) throws -> [Card] {
        guard let former, device.user != former, let app = try ledger.app(device.app) else { return [] }
        var ended: [Card] = []
        try ledger.forEachReplica(of: device.id) { planned in
            guard var activity = try ledger.activity(planned.activity) else { return }
            var replica = planned
            guard leave(&replica, in: activity, of: app, by: device, formerly: former) else { return }
            try ledger.update(replica)
            activity.wake(at: now)
            try ledger.update(activity)
            ledger.woken.insert(activity.id)
            if replica.isEndedForOther, let instance = replica.instance {
                ended.append(Card(instance: instance, name: activity.name, type: activity.type ?? ""))
            }
        }
        return ended
    }

    /// - Returns: whether anything changed.
    private func leave(
        _ replica: inout Replica, in activity: Activity, of app: App, by device: Device, formerly former: String
    ) -> Bool {
        if activity.isForOthers(than: device, of: app, formerly: former) { return replica.cancelForOtherPerson() }
        guard replica.isWithinReach, replica.scoped > 0 || activity.pendingScopes > 0 else { return false }
        let isClosed = replica.close(upTo: activity.version)
        // Nothing but the former user's content was ever declared for it.
        if replica.desiredState(in: activity) == 0, replica.accepted > 0 { return replica.cancelForOtherPerson() }
        return isClosed
    }
}

extension Replica {
    /// Whether its card runs and leaves the screen because the phone has become another person's.
    fileprivate var isEndedForOther: Bool { endsForOther && (phase == .live || phase == .waitingForToken) }
}
