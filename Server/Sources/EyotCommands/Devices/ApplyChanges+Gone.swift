import EyotContract
import EyotDomain

/// What a phone says of cards that are gone.
extension ApplyChanges {
    /// What a report as a whole says of cards that are gone.
    struct Gone {
        /// Those of which it says what happened to them.
        var told: Set<String> = []
        /// Those among them that vanished, and of which it was known before that another one has their names.
        var givenUp: Set<String> = []
    }

    func gone(in batch: DeviceChangeBatch, on device: DeviceID) throws -> Gone {
        var gone = Gone()
        for case .cardEvent(let card, let event, _) in batch.changes.map(\.action) where event.isOver {
            gone.told.insert(card.instance)
            guard event == .vanished else { continue }
            let isReplaced = try ledger.replica(ofInstance: card.instance, on: device)?.ending == .replaced
            if isReplaced { gone.givenUp.insert(card.instance) }
        }
        return gone
    }

    /// What a phone says of the cards of one type that run.
    struct RunningList {
        var type: String
        var instances: Set<String>
        var sequence: Int

        /// The list with the cards that the same report speaks of later: they began while the phone looked.
        func completed(by batch: DeviceChangeBatch) -> RunningList {
            var list = self
            for change in batch.changes where change.sequence > sequence {
                if let instance = change.action.card?.instance { list.instances.insert(instance) }
            }
            return list
        }
    }

    /// What the phone does not list, and of which it says nothing else, does not run any more. A start that Apple took and that
    /// led to nothing has failed, unless it may still be on its way, or the phone lists a card of which it has not said more yet: that
    /// may be the start's.
    func retire(_ list: RunningList, told: Set<String>, of device: Device) throws {
        let running = told.union(list.instances)
        let hasNew = try list.instances.contains { try ledger.replica(ofInstance: $0, on: device.id) == nil }
        for var replica in try ledger.runningReplicas(of: device.id, type: list.type, in: device.app) {
            if let instance = replica.instance {
                guard !running.contains(instance), let activity = try ledger.activity(replica.activity),
                    replica.unlist(in: activity, at: now)
                else { continue }
                try ledger.update(replica)
            } else if !hasNew, replica.isRefutedByList, var activity = try ledger.activity(replica.activity) {
                let former = replica
                replica.loseStart(.noCardHeardOf)
                try ledger.update(replica)
                _ = try RestartLost(ledger: ledger, now: now)(former, replica, in: &activity)
                activity.wake(at: now)
                try ledger.update(activity)
                ledger.woken.insert(activity.id)
            }
        }
    }

    /// What has not left when the person dismisses a card of the name is not started any more (R13).
    func cancelStarts(besides dismissed: Replica, named name: String) throws {
        guard let device = try ledger.device(dismissed.device) else { return }
        for var other in try ledger.replicas(of: device.id, named: name, in: device.app)
        where other.activity == dismissed.activity && other.cancelStart() {
            try ledger.update(other)
        }
    }
}
