/// Places that are given up because their card has a place under another name. They are no cards, so no event tells of
/// them, and their numbers go to the other place.
extension Transaction {
    /// Gives up a place, because its card has one under another name.
    ///
    /// - Parameters:
    ///   - former: the place as it is stored.
    ///   - card: the place under the other name, which tells what becomes of the card from now on.
    package func giveUp(_ former: Replica, for card: Replica, in app: AppID) throws {
        let place = former.givenUp
        try ledger.update(place, from: former)
        ledger.countStates(from: former, to: place, in: app)
        try countShown(place, from: former, in: counts(of: former.activity, in: app))
        guard let device = try ledger.device(former.device) else { return }
        let phone = CountedPhone(device)
        let (old, new) = (counts(of: former.activity, in: app), counts(of: card.activity, in: app))
        for counter in former.startNumbers {
            for (counts, change) in [(old, -1), (new, 1)] {
                ledger.count(counter, times: change, in: counts)
                ledger.count(counter, by: phone, times: change, in: counts)
            }
        }
        // The other place counts these by itself.
        for counter in former.cardNumbers {
            ledger.count(counter, times: -1, in: old)
            if counter.isOfPhones { ledger.count(counter, by: phone, times: -1, in: old) }
        }
    }
}

extension Replica {
    /// The place without its card. Nothing is sent to it, and it counts as no start of its phone.
    fileprivate var givenUp: Replica {
        var place = self
        (place.phase, place.lease, place.retry) = (.notStarted(.replanned), nil, nil)
        (place.instance, place.token, place.ending, place.following) = (nil, nil, nil, .none)
        return place
    }

    /// What was counted of its start.
    fileprivate var startNumbers: [KeptCounter] {
        guard startsAt != nil else { return [] }
        let isAccepted = lease?.state == .accepted || appearedAt != nil || phase == .notStarted(.expiredAtApple)
        return isAccepted ? [.eligible, .started] : [.eligible]
    }

    /// What was counted of its card.
    fileprivate var cardNumbers: [KeptCounter] {
        guard appearedAt != nil else { return [] }
        return [KeptCounter(.cardAppeared)] + (startsAt == nil ? [] : [.appearedByPush])
            + (token == nil ? [] : [.tokens, KeptCounter(.updateTokenSet)])
    }
}

extension KeptCounter {
    /// Whether it is also counted by the properties of phones.
    fileprivate var isOfPhones: Bool { self == KeptCounter(.cardAppeared) || self == .tokens }
}
