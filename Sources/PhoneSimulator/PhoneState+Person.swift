import Foundation

extension PhoneState {
    /// The person swipes a card away: it ends and is gone, and no update brings it back.
    ///
    /// - Returns: whether there was such a card in view.
    @discardableResult
    public mutating func dismiss(card id: String, now: Date) -> Bool {
        advance(to: now)
        guard let index = cards.firstIndex(where: { $0.id == id }), cards[index].phase != .dismissed else {
            return false
        }
        if rules.swipeEndsFirst, cards[index].phase.isRunning {
            end(cardAt: index, at: time, .immediate)
        } else {
            remove(cardAt: index, at: time)
        }
        return true
    }

    /// Locks the phone, or taps outside the Dynamic Island: transient cards end at once.
    public mutating func lock(now: Date) {
        advance(to: now)
        for index in cards.indices where cards[index].isTransient && cards[index].phase.isRunning {
            end(cardAt: index, at: time, .immediate)
        }
    }

    /// Presses Allow on a card. Cards that wait for a token get it.
    ///
    /// - Returns: false if this person never does.
    @discardableResult
    public mutating func pressAllow(now: Date) -> Bool {
        advance(to: now)
        guard settings.allowed != .never else { return false }
        hasAllowed = true
        for index in cards.indices { cards[index].isAllowed = true }
        issueDueTokens()
        return true
    }

    /// Sets the number of cards that other apps show.
    public mutating func showCards(ofOtherApps count: Int, now: Date) {
        advance(to: now)
        cardsOfOtherApps = count
    }

    /// Changes the person's settings.
    public mutating func change(settings new: PhoneSettings, now: Date) {
        advance(to: now)
        let (old, hadFrequentPushes) = (settings, frequentPushesEnabled)
        settings = new
        if old.activitiesEnabled != new.activitiesEnabled {
            if !new.activitiesEnabled, rules.disablingRemovesCards { removeAllCards() }
            if !new.activitiesEnabled, rules.disablingKillsStartToken { retireStartToken() }
            emit(.activitiesEnabled(new.activitiesEnabled))
        }
        if hadFrequentPushes != frequentPushesEnabled { emit(.frequentPushesEnabled(frequentPushesEnabled)) }
        makeStartTokenIfDue()
        advance(to: now)
    }
}
