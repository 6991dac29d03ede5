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

    /// The place of a start without a name that has left and that a card of this type may be; the oldest, where there are several.
    func namelessStart(_ card: Card, of device: Device) throws -> (place: Replica, activity: Activity)? {
        guard !NamelessActivity.isOne(card.name) else { return nil }
        for kept in try ledger.runningReplicas(of: device.id, type: card.type, in: device.app)
        where kept.instance == nil && kept.lease?.sentAt != nil {
            guard let activity = try ledger.activity(kept.activity), NamelessActivity.isOne(activity.name) else {
                continue
            }
            return (kept, activity)
        }
        return nil
    }

    /// A card that is the first of its name here may be what a start without a name led to. Its app has named it, so the place that
    /// was kept is given up.
    func bindNameless(_ card: Card, of device: Device) throws {
        guard var (kept, nameless) = try namelessStart(card, of: device) else { return }
        kept.phase = .untracked
        kept.lease = nil
        try ledger.update(kept)
        nameless.wake(at: now)
        try ledger.update(nameless)
        ledger.woken.insert(nameless.id)
    }

    /// The generation that a card joins that nobody has spoken of. What a backend has started after the end of the last one is of the
    /// next one, though that start could not say its name.
    func generation(_ former: Activity, of card: Card, _ device: Device) throws -> Activity? {
        let started = try namelessStart(card, of: device)
        if let endedAt = former.endedAt, let sentAt = started?.place.lease?.sentAt, sentAt >= endedAt {
            var opened = try ledger.insertActivity(
                named: card.name, in: device.app, generation: former.generation + 1, type: card.type, at: now)
            (opened.isPublic, opened.haltedAt) = (former.isPublic, former.haltedAt)
            return opened
        }
        guard try started != nil || MayJoin(ledger: ledger)(former, device) else { return nil }
        return former
    }
}
