import APNSWire
import Foundation

extension PhoneState {
    /// Advances the phone to `now`: cards begin, turn stale, end and disappear; tokens and waiting pushes arrive. A
    /// second call changes nothing.
    public mutating func advance(to now: Date) {
        if let burstAt, burstAt <= now {
            look(at: burstAt)
            deliverBurst()
        }
        look(at: now)
        issueDueTokens()
        forgetOldCards()
    }

    /// Advances the phone without new tokens, because an app that looks at a card right after its request finds none
    /// yet.
    mutating func look(at now: Date) {
        time = max(time, now)
        if let end = backgroundEnd, end <= time { terminate() }
        for index in cards.indices { age(cardAt: index) }
    }

    /// When the next event happens without an outside cause; nil if there is none.
    public var nextMoment: Date? {
        let moments = cards.flatMap { card -> [Date?] in
            let token = mayHaveToken(card) ? card.tokenDueAt : nil
            let own: [Date?] =
                switch card.phase {
                case .pending: [card.startedAt, rules.pendingCardsGetToken ? token : nil]
                case .active: [card.content.staleDate.map(trueTime(ofPhoneTime:)), card.systemEnd, token]
                case .stale: [card.systemEnd, token]
                case .ended: [card.removedAt]
                case .dismissed: []
                }
            return own + [renderMoment(of: card)]
        }
        return (moments + [backgroundEnd, burstAt]).compactMap(\.self).min()
    }

    private mutating func age(cardAt index: Int) {
        render(cardAt: index)
        if cards[index].phase == .pending, cards[index].startedAt <= time {
            cards[index].alerts += 1
            setPhase(.active, ofCardAt: index)
        }
        if cards[index].phase == .active, let staleDate = cards[index].content.staleDate,
            trueTime(ofPhoneTime: staleDate) <= min(time, cards[index].systemEnd)
        {
            setPhase(.stale, ofCardAt: index)
        }
        if cards[index].phase == .active || cards[index].phase == .stale, cards[index].systemEnd <= time {
            end(cardAt: index, at: cards[index].systemEnd, .standard)
        }
        if cards[index].phase == .ended, let removal = cards[index].removedAt, removal <= time {
            remove(cardAt: index, at: removal)
        }
    }

    mutating func setPhase(_ phase: CardPhase, ofCardAt index: Int) {
        guard cards[index].phase != phase else { return }
        cards[index].phase = phase
        emit(.phase(card: cards[index].id, phase))
        if !phase.isRunning { followChannels() }
    }

    /// Ends a card; it stays on the Lock Screen for four hours at most.
    mutating func end(cardAt index: Int, at moment: Date, _ dismissal: CardDismissal) {
        let removal =
            switch dismissal {
            case .standard: removal(at: cards[index].dismissalDate ?? .distantFuture, from: moment)
            case .immediate: moment
            case .after(let date): removal(at: date, from: moment)
            }
        cards[index].endedAt = moment
        cards[index].removedAt = removal
        cards[index].tokenDueAt = nil
        if rules.endKillsToken { retireToken(ofCardAt: index, since: moment) }
        setPhase(.ended, ofCardAt: index)
        if removal <= time { remove(cardAt: index, at: removal) }
    }

    /// Moves the moment at which an ended card goes from view, at most to four hours after its end.
    mutating func setRemoval(_ dismissal: CardDismissal, ofCardAt index: Int) {
        switch dismissal {
        case .standard: return
        case .immediate: cards[index].removedAt = time
        case .after(let date):
            cards[index].removedAt = max(time, removal(at: date, from: cards[index].endedAt ?? time))
        }
        if let removal = cards[index].removedAt, removal <= time { remove(cardAt: index, at: removal) }
    }

    /// When a card goes from view, given the moment of its end and a dismissal date by the phone's clock.
    private func removal(at date: Date, from moment: Date) -> Date {
        min(max(trueTime(ofPhoneTime: date), moment), moment.addingTimeInterval(Double(APNSLimits.lingerLifetime)))
    }

    /// Removes a card from view.
    mutating func remove(cardAt index: Int, at moment: Date) {
        cards[index].endedAt = cards[index].endedAt ?? moment
        cards[index].removedAt = moment
        cards[index].tokenDueAt = nil
        if rules.removalKillsToken { retireToken(ofCardAt: index, since: moment) }
        setPhase(.dismissed, ofCardAt: index)
    }

    private mutating func forgetOldCards() {
        let gone = cards.filter { $0.phase == .dismissed }
        guard gone.count > Self.dismissedCardLimit else { return }
        let forgotten = Set(gone.prefix(gone.count - Self.dismissedCardLimit).map(\.id))
        for index in cards.indices where forgotten.contains(cards[index].id) {
            retireToken(ofCardAt: index, since: time)
        }
        cards.removeAll { forgotten.contains($0.id) }
    }
}
