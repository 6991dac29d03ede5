import EyotContract
import EyotDomain

/// Reports of cards that are gone.
extension ApplyChanges {
    /// The cards that a report says are gone.
    struct Gone {
        /// Instances of which the report says what happened to them.
        var told: Set<String> = []
        /// Instances among `told` that vanished, and that had already been replaced by another card of their name.
        var givenUp: Set<String> = []
        /// Instances among `told` of which the app said directly before that it changes them. It has ended them.
        var announced: Set<String> = []
        /// Whether the report says that Live Activities are switched off for the app.
        var activitiesAreOff = false
    }

    func gone(in batch: DeviceChangeBatch, on device: DeviceID) throws -> Gone {
        var gone = Gone()
        var last: [String: CardEvent] = [:]
        for change in batch.changes {
            switch change.action {
            case .permissions(let permissions):
                gone.activitiesAreOff = gone.activitiesAreOff || !permissions.activities
            case .cardEvent(let card, let event, _):
                defer { last[card.instance] = event }
                guard event.isOver else { continue }
                gone.told.insert(card.instance)
                if last[card.instance] == .locallyChanged { gone.announced.insert(card.instance) }
                guard event == .vanished else { continue }
                let isReplaced = try ledger.replica(ofInstance: card.instance, on: device)?.ending == .replaced
                if isReplaced { gone.givenUp.insert(card.instance) }
            default: continue
            }
        }
        return gone
    }

    /// The cards of one type that a phone lists as running.
    struct RunningList {
        var type: String
        var instances: Set<String>
        var sequence: Int

        /// The list with the cards that later changes of the same report name. They began while the phone made the
        /// list.
        func completed(by batch: DeviceChangeBatch) -> RunningList {
            var list = self
            for change in batch.changes where change.sequence > sequence {
                if let instance = change.action.card?.instance { list.instances.insert(instance) }
            }
            return list
        }
    }

    /// Retires replicas of the type that the phone neither lists nor mentions: they no longer run. A start that Apple
    /// accepted and that has no card has failed, unless it may still be on its way. It has not failed either if the
    /// phone lists an unknown card, because that card may be the start's.
    ///
    /// - Returns: Whether the phone lists an unknown card.
    func retire(_ list: RunningList, told: Set<String>, of device: Device) throws -> Bool {
        let running = told.union(list.instances)
        let hasNew = try list.instances.contains { try ledger.replica(ofInstance: $0, on: device.id) == nil }
        for former in try ledger.runningReplicas(of: device.id, type: list.type, in: device.app) {
            var replica = former
            if let instance = replica.instance {
                guard !running.contains(instance), let activity = try ledger.activity(replica.activity),
                    replica.unlist(in: activity, at: now, activitiesAreOff: !device.permissions.activities)
                else { continue }
                try transaction.update(replica, from: former, in: device.app)
            } else if !hasNew, replica.isRefutedByList, var activity = try ledger.activity(replica.activity) {
                replica.loseStart(.noCardHeardOf)
                try transaction.update(replica, from: former, in: device.app)
                _ = try RestartLost(transaction)(former, replica, in: &activity)
                activity.wake(at: now)
                try ledger.update(activity)
                ledger.woken.insert(activity.id)
            }
        }
        return hasNew
    }

    /// Cancels the starts of a name that have not left when the user dismisses a card of that name (R13).
    func cancelStarts(besides dismissed: Replica, named name: String) throws {
        guard let device = try ledger.device(dismissed.device) else { return }
        for former in try ledger.replicas(of: device.id, named: name, in: device.app)
        where former.activity == dismissed.activity {
            var other = former
            if other.cancelStart(for: dismissed) { try transaction.update(other, from: former, in: device.app) }
        }
    }
}
