import EyotContract
import EyotDomain

/// The consequences when a phone changes its user (R12). Private cards of the former user end, whatever the state of
/// their starts. What was declared for the former user alone does not apply to the next one. When the user returns, the
/// next call starts the cards.
struct LeaveFormerUser: UseCase {
    let transaction: Transaction

    /// - Parameters:
    ///   - device: The device after the change.
    ///   - former: Its former user, or nil if it had none.
    /// - Returns: The cards that end and that the phone has reported.
    @discardableResult
    func callAsFunction(on device: Device, formerly former: String?) throws -> [Card] {
        guard let former, device.user != former, let app = try ledger.app(device.app) else { return [] }
        var ended: [Card] = []
        try ledger.forEachReplica(of: device.id) { planned in
            guard var activity = try ledger.activity(planned.activity) else { return }
            var replica = planned
            guard leave(&replica, in: activity, of: app, by: device, formerly: former) else { return }
            try transaction.update(replica, from: planned, in: device.app)
            activity.wake(at: now)
            try ledger.update(activity)
            ledger.woken.insert(activity.id)
            if replica.isEndedForOther, let instance = replica.instance {
                ended.append(Card(instance: instance, name: activity.name, type: activity.type ?? ""))
            }
        }
        return ended
    }

    /// - Returns: Whether anything changed.
    private func leave(
        _ replica: inout Replica, in activity: Activity, of app: App, by device: Device, formerly former: String
    ) -> Bool {
        if activity.isForOthers(than: device, of: app, formerly: former) { return replica.cancelForOtherPerson() }
        guard replica.isWithinReach, replica.scopedState > 0 || activity.pendingScopes > 0 else { return false }
        let isClosed = replica.close(upTo: activity.version)
        // Only the former user's content was ever declared for it.
        if replica.desiredState(in: activity) == 0, replica.acceptedVersion > 0 {
            return replica.cancelForOtherPerson()
        }
        return isClosed
    }
}

extension Replica {
    /// Whether its card runs and leaves the screen because the phone has a new user.
    fileprivate var isEndedForOther: Bool { endsForOther && (phase == .live || phase == .waitingForToken) }
}
