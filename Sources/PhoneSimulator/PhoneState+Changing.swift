import APNSWire
import EyotContract
import Foundation

/// A change of one card, pushed or local: both go through the same order.
struct CardChange {
    /// The card's new content; nil keeps the present content. Only an end may omit it.
    var content: CardContent?
    /// When the card goes from view, if this is an end.
    var end: CardDismissal?
    /// Whether it lights the screen.
    var alerts = false
    /// Whether the app itself makes it, and no push.
    var isLocal = false
    /// The timestamp that orders changes, by the sender's clock; nil for a change outside the order.
    var timestamp: Date?
    /// Bytes that the content state may have.
    var dataLimit = PhoneState.dataLimit
}

extension PhoneState {
    /// Bytes that a content state may have, and attributes and state together.
    static let dataLimit = 4_096

    func requireTimely(_ timestamp: Date, isEnd: Bool = false) throws(IgnoreReason) {
        guard timestamp <= phoneTime.addingTimeInterval(Double(APNSLimits.timestampLead)) else { throw .farFuture }
        guard let age = rules.pushMaximumAge, !(isEnd && rules.appliesOlderEnd) else { return }
        guard timestamp >= phoneTime.addingTimeInterval(-age) else { throw .longPast }
    }

    /// Why the app may not have one more card; nil if it may. Scheduled cards count.
    var refusalOfMoreCards: CardRefusal? {
        let count = cards.count { $0.phase.isRunning || ($0.phase == .ended && rules.endedCardsCount) }
        if count >= rules.maximumCards { return .targetMaximumExceeded }
        return rules.maximumCardsOnPhone.map { count + cardsOfOtherApps >= $0 } == true ? .globalMaximumExceeded : nil
    }

    /// Adds the card that a request, or a pushed start, asks for.
    ///
    /// - Parameter timestamp: the timestamp of its content, by the phone's clock; nil if it has none.
    mutating func addCard(
        _ request: CardRequest, origin: SimulatedCard.Origin, timestamp: Date?
    ) -> String {
        let (content, updates) = (request.content, request.updates)
        let startedAt = max(request.startDate.map(trueTime(ofPhoneTime:)) ?? time, time)
        let tokenFrom = rules.pendingCardsGetToken ? time : startedAt
        startedCards += 1
        let card = SimulatedCard(
            id: random.cardID(), type: request.type, attributes: request.attributes, origin: origin, updates: updates,
            number: startedCards, content: content, shown: ShownContent(content: content, since: startedAt),
            phase: startedAt > time ? .pending : .active, startedAt: startedAt, timestamp: timestamp,
            tokenDueAt: getsToken(updates, origin) ? tokenFrom.addingTimeInterval(rules.tokenDelay) : nil)
        cards.append(card)
        emit(.cardAppeared(type: request.type, card: card.id))
        followChannels()
        return card.id
    }

    private func getsToken(_ updates: CardUpdates, _ origin: SimulatedCard.Origin) -> Bool {
        switch updates {
        case .token: true
        case .channel: origin == .remote && rules.channelCardsGetToken
        case .local: false
        }
    }

    mutating func change(
        cardAt index: Int, by payload: ReceivedPayload, of push: DeliveredPush
    ) throws(IgnoreReason) {
        let content = payload.content(keeping: rules.keepsAbsentMembers ? cards[index].content : nil)
        var change = CardChange(content: content, alerts: payload.alert != nil, timestamp: payload.timestamp)
        if payload.event == .end { change.end = payload.dismissalDate.map(CardDismissal.after) ?? .standard }
        if push.channel != nil, rules.takesLargeBroadcastState { change.dataLimit = APNSLimits.broadcastPayloadBytes }
        try apply(change, toCardAt: index)
        if payload.event == .update, rules.earlyDismissalDateCounts {
            cards[index].dismissalDate = payload.dismissalDate
        }
    }

    /// Shows a change, or says why not.
    mutating func apply(_ change: CardChange, toCardAt index: Int) throws(IgnoreReason) {
        guard cards[index].phase != .dismissed else { throw .dismissed }
        guard cards[index].phase.isRunning else { return try endAgain(change, cardAt: index) }
        if let timestamp = change.timestamp { try requireTimely(timestamp, isEnd: change.end != nil) }
        let isNewest = isNewest(change.timestamp, forCardAt: index)
        guard isNewest || (change.end != nil && rules.appliesOlderEnd) else { throw .olderTimestamp }
        if let content = try showable(change, onCardAt: index), isNewest || rules.olderEndShowsContent {
            show(content, onCardAt: index)
        }
        if isNewest, let timestamp = change.timestamp { cards[index].timestamp = timestamp }
        if change.end == nil { setFreshness(ofCardAt: index) }
        cards[index].changes += 1
        if change.alerts, change.end == nil || rules.endsAlert { cards[index].alerts += 1 }
        if let dismissal = change.end { end(cardAt: index, at: time, dismissal) }
    }

    /// Changes the moment at which an ended card goes from view. No other change applies to it.
    private mutating func endAgain(_ change: CardChange, cardAt index: Int) throws(IgnoreReason) {
        guard let dismissal = change.end, change.isLocal ? rules.takesSecondEnd : rules.takesSecondPushedEnd else {
            throw .afterEnd
        }
        if let timestamp = change.timestamp { try requireTimely(timestamp, isEnd: true) }
        setRemoval(dismissal, ofCardAt: index)
    }

    /// The content that a change can show. Nil if it brings none, or ends the card without it.
    private func showable(_ change: CardChange, onCardAt index: Int) throws(IgnoreReason) -> CardContent? {
        guard let content = change.content else { return nil }
        do throws(IgnoreReason) {
            try requireDecodable(content.state, type: cards[index].type)
            let others = rules.updateCountsAttributes ? cards[index].attributes.utf8.count : 0
            guard content.state.utf8.count + others <= change.dataLimit else { throw .tooLarge }
            return content
        } catch {
            guard change.end != nil, rules.undecodableEndEnds else { throw error }
            return nil
        }
    }

    private func isNewest(_ timestamp: Date?, forCardAt index: Int) -> Bool {
        guard let timestamp, let shown = cards[index].timestamp else { return true }
        return timestamp > shown || (timestamp == shown && rules.appliesEqualTimestamp)
    }

    private mutating func show(_ content: CardContent, onCardAt index: Int) {
        cards[index].content = content
        render(cardAt: index, after: time)
        emit(.content(card: cards[index].id, content))
    }

    private mutating func setFreshness(ofCardAt index: Int) {
        guard cards[index].phase != .pending else { return }
        let isStale = cards[index].content.staleDate.map { trueTime(ofPhoneTime: $0) <= time } ?? false
        if isStale {
            setPhase(.stale, ofCardAt: index)
        } else if rules.updateRevivesStale {
            setPhase(.active, ofCardAt: index)
        }
    }

    func requireDecodable(_ state: JSONValue, type: String) throws(IgnoreReason) {
        guard let check = checks[type] else { throw .unknownType(type) }
        if let words = check.contentState(state) { throw .decodeFailed("Unable to decode content state: \(words)") }
    }
}
