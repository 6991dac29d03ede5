import APNSWire
import EyotContract
import Foundation

extension PhoneState {
    /// A push comes for this phone. Whether its token, topic and environment are good has been asked before, at Apple.
    @discardableResult
    public mutating func receive(_ push: DeliveredPush, now: Date) -> PushEffect {
        advance(to: now)
        return isOnline ? deliver(push) : store(push)
    }

    /// Apple can no longer reach the phone.
    public mutating func goOffline(now: Date) {
        advance(to: now)
        isOnline = false
    }

    /// Apple reaches the phone again, and delivers what it kept.
    ///
    /// - Returns: what became of the push that was kept.
    @discardableResult
    public mutating func goOnline(now: Date) -> PushEffect? {
        advance(to: now)
        isOnline = true
        guard let push = storedPush else { return nil }
        storedPush = nil
        guard !hasExpired(push) else { return log(push, .ignored(.expired)) }
        return deliver(push)
    }

    private mutating func deliver(_ push: DeliveredPush) -> PushEffect {
        var record = PushRecord(number: pushes.total + 1, receivedAt: time, push: push)
        do throws(IgnoreReason) {
            record.effect = try handle(push, &record)
        } catch {
            record.effect = .ignored(error)
            record.alerted = false
        }
        advance(to: time)
        pushes.append(record)
        return record.effect
    }

    private mutating func handle(_ push: DeliveredPush, _ record: inout PushRecord) throws(IgnoreReason) -> PushEffect {
        guard push.pushType == .liveActivity else { throw .notLiveActivity }
        guard push.payload.count <= APNSLimits.payloadBytes else { throw .tooLarge }
        let payload = try ReceivedPayload(push.payload)
        record.event = payload.event
        record.timestamp = payload.timestamp
        record.alerted = payload.alert != nil
        guard settings.activitiesEnabled else { throw .activitiesDisabled }
        if push.token == startToken {
            guard payload.event == .start else { throw .wrongToken }
            return .started(card: try start(payload))
        }
        let index = try indexOfCard(with: push.token)
        guard payload.event != .start else { throw .wrongToken }
        try change(cardAt: index, by: payload, priority: push.priority)
        return payload.event == .end ? .ended(card: cards[index].id) : .updated(card: cards[index].id)
    }

    private func indexOfCard(with token: PushToken) throws(IgnoreReason) -> Int {
        let retired = retiredTokens.last { $0.token.value == token }?.card
        guard let index = cards.firstIndex(where: { $0.updateToken == token || $0.id == retired }) else {
            throw .noSuchCard
        }
        guard cards[index].phase != .dismissed else { throw .dismissed }
        // The push was on its way, or kept by Apple, when the token was rotated.
        guard cards[index].updateToken == token else { throw .noSuchCard }
        return index
    }

    // MARK: Start

    private mutating func start(_ payload: ReceivedPayload) throws(IgnoreReason) -> String {
        guard payload.hasFullAlert else { throw .missingAlert }
        if payload.inputPushChannel != nil, configuration.os < .channels { throw .needsVersion(.channels) }
        guard let type = payload.attributesType, let attributes = payload.attributes, let content = payload.content
        else { throw .malformed("a start needs attributes-type, attributes and content-state") }
        guard payload.timestamp <= latestTimestamp else { throw .farFuture }
        guard let check = checks[type] else { throw .unknownType(type) }
        if let words = check.attributes(attributes) {
            throw .decodeFailed("Unable to decode attributes of \(type): \(words)")
        }
        try requireDecodable(content.state, type: type)
        guard attributes.utf8.count + content.state.utf8.count <= Self.dataLimit else { throw .tooLarge }
        guard hasRoomForCard else { throw .tooManyCards }
        guard startMeter.spend(at: time, of: rules.startBudget) else { throw .budgetSpent }
        let id = addCard(
            type: type, attributes: attributes, content: content, origin: .remote,
            updates: payload.inputPushChannel.map(CardUpdates.channel) ?? .token, timestamp: payload.timestamp)
        cards[cards.count - 1].alerts = 1
        // Wakes the app after the card is there, so that its first look finds it.
        wakeForPush()
        return id
    }

    // MARK: Apple's storage

    /// Apple keeps one push for an app on a phone that is offline, normally the latest.
    private mutating func store(_ push: DeliveredPush) -> PushEffect {
        guard !hasExpired(push) else { return log(push, .ignored(.offline)) }
        if let replaced = storedPush { log(replaced, .ignored(.replacedInStorage)) }
        storedPush = push
        return log(push, .stored)
    }

    private func hasExpired(_ push: DeliveredPush) -> Bool {
        push.expiration.map { Date(timeIntervalSince1970: Double($0)) <= time } ?? false
    }

    @discardableResult
    private mutating func log(_ push: DeliveredPush, _ effect: PushEffect) -> PushEffect {
        pushes.append(PushRecord(number: pushes.total + 1, receivedAt: time, push: push, effect: effect))
        return effect
    }
}
