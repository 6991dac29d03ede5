import APNSWire
import EyotContract
import Foundation

extension PhoneState {
    /// Receives a push for this phone: one to a token, after Apple's check of token, topic and environment, or a
    /// broadcast to a channel.
    ///
    /// - Returns: the phone's handling of it, or that Apple stores it for now. If a broadcast applies to several cards,
    ///   the result is the first card's. The log has an entry for each.
    @discardableResult
    public mutating func receive(_ push: DeliveredPush, now: Date) -> PushEffect {
        advance(to: now)
        guard isOnline else { return store(push) }
        return push.priority != .immediate && rules.considerateDelay > 0 ? hold(push) : deliver(push)
    }

    mutating func deliver(_ push: DeliveredPush) -> PushEffect {
        defer { advance(to: time) }
        let payload: ReceivedPayload
        do throws(IgnoreReason) {
            payload = try read(push)
        } catch {
            return log(push, .ignored(error))
        }
        let targets: [Target]
        let meter = updateMeter
        do throws(IgnoreReason) {
            targets = try self.targets(of: push, payload.event)
            if payload.event != .start { try spendUpdateBudget(on: push, payload.event) }
        } catch {
            return log(push, reading: payload, .ignored(error))
        }
        let effects = targets.map { log(push, reading: payload, apply(payload, of: push, to: $0)) }
        if !rules.ignoredUpdatesSpendBudget, effects.allSatisfy({ $0.card == nil }) { updateMeter = meter }
        return effects[0]
    }

    private func read(_ push: DeliveredPush) throws(IgnoreReason) -> ReceivedPayload {
        guard push.pushType == .liveActivity else { throw .notLiveActivity }
        guard push.payload.count <= push.payloadLimit else { throw .tooLarge }
        return try ReceivedPayload(push.payload, dropsMalformed: rules.dropsMalformedPush)
    }

    // MARK: The target of a push

    private enum Target {
        case start
        case card(String)
    }

    /// At least one.
    private func targets(of push: DeliveredPush, _ event: LiveActivityEvent) throws(IgnoreReason) -> [Target] {
        guard settings.activitiesEnabled else { throw .activitiesDisabled }
        switch push.destination {
        case .token(let token):
            if token == startToken {
                guard event == .start else { throw .wrongToken }
                return [.start]
            }
            let card = try card(with: token)
            guard event != .start else { throw .wrongToken }
            return [.card(card.id)]
        case .channel(let channel, _):
            guard event != .start else { throw .wrongToken }
            let subscribed = cards.filter { $0.phase != .dismissed && $0.updates.channel == channel }
            guard !subscribed.isEmpty else { throw .notSubscribed }
            return subscribed.map { .card($0.id) }
        }
    }

    private func card(with token: PushToken) throws(IgnoreReason) -> SimulatedCard {
        let retired = retiredTokens.last { $0.token.value == token }?.card
        guard let card = cards.first(where: { $0.updateToken == token || $0.id == retired }) else {
            throw .noSuchCard
        }
        guard card.phase != .dismissed else { throw .dismissed }
        // The push was on its way, or kept by Apple, when the token was rotated.
        guard card.updateToken == token else { throw .noSuchCard }
        return card
    }

    private mutating func spendUpdateBudget(
        on push: DeliveredPush, _ event: LiveActivityEvent
    ) throws(IgnoreReason) {
        guard push.priority == .immediate, event != .end || rules.endsSpendBudget,
            push.channel == nil || rules.broadcastsSpendBudget
        else { return }
        let budget = frequentPushesEnabled ? rules.frequentUpdateBudget : rules.updateBudget
        guard updateMeter.spend(at: time, of: budget, evenIfDropped: rules.droppedPushesSpendBudget) else {
            throw .budgetSpent
        }
    }

    // MARK: Effects

    private mutating func apply(_ payload: ReceivedPayload, of push: DeliveredPush, to target: Target) -> PushEffect {
        do throws(IgnoreReason) {
            switch target {
            case .start: return .started(card: try start(payload))
            case .card(let id):
                guard let index = cards.firstIndex(where: { $0.id == id }) else { throw .noSuchCard }
                try change(cardAt: index, by: payload, of: push)
                return payload.event == .end ? .ended(card: id) : .updated(card: id)
            }
        } catch {
            return .ignored(error)
        }
    }

    @discardableResult
    mutating func log(
        _ push: DeliveredPush, reading payload: ReceivedPayload? = nil, _ effect: PushEffect
    ) -> PushEffect {
        var record = PushRecord(number: pushes.total + 1, receivedAt: time, push: push, effect: effect)
        record.event = payload?.event
        record.timestamp = payload?.timestamp
        let sounds = payload?.event != .end || rules.endsAlert
        record.alerted = payload?.alert != nil && effect.card != nil && sounds
        pushes.append(record)
        return effect
    }
}
