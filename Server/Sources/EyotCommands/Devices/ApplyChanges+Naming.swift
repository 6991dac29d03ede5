import EyotContract
import EyotDomain

/// What a card's name, which its phone says, changes for its places.
extension ApplyChanges {
    /// One card has one name. Under a new one it starts afresh.
    func leaveOtherName(_ card: Card, _ device: Device) throws {
        guard var known = try ledger.replica(ofInstance: card.instance, on: device.id),
            try ledger.activity(known.activity)?.name != card.name
        else { return }
        known.stopTracking()
        known.instance = nil
        try ledger.update(known)
    }

    /// A card that is the first of its name here may be what a start without a name led to. Its app has named it, so the place that
    /// was kept is given up; the oldest, where there are several.
    func bindNameless(_ card: Card, of device: Device) throws {
        guard !NamelessActivity.isOne(card.name) else { return }
        for var kept in try ledger.runningReplicas(of: device.id, type: card.type, in: device.app)
        where kept.instance == nil && kept.lease?.sentAt != nil {
            guard var nameless = try ledger.activity(kept.activity), NamelessActivity.isOne(nameless.name) else {
                continue
            }
            kept.phase = .untracked
            kept.lease = nil
            try ledger.update(kept)
            nameless.wake(at: now)
            try ledger.update(nameless)
            ledger.woken.insert(nameless.id)
            return
        }
    }
}
