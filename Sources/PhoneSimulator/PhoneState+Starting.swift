import APNSWire
import EyotContract
import Foundation

extension PhoneState {
    /// A pushed start.
    ///
    /// - Returns: the new card's id.
    mutating func start(_ payload: ReceivedPayload) throws(IgnoreReason) -> String {
        guard payload.hasFullAlert else { throw .missingAlert }
        let updates = try updates(wantedBy: payload)
        guard let name = payload.attributesType, let attributes = payload.attributes, let content = payload.content()
        else { throw .malformed("a start needs attributes-type, attributes and content-state") }
        try requireTimely(payload.timestamp)
        guard let check = check(ofType: name) else { throw .unknownType(name) }
        let type = check.type
        if let words = check.attributes(attributes) {
            throw .decodeFailed("Unable to decode attributes of \(type): \(words)")
        }
        try requireDecodable(content.state, type: type)
        guard attributes.utf8.count + content.state.utf8.count <= Self.dataLimit else { throw .tooLarge }
        guard !settings.lowPowerMode else { throw .lowPowerMode }
        guard refusalOfMoreCards == nil else { throw .tooManyCards }
        guard startMeter.spend(at: time, of: rules.startBudget, evenIfDropped: rules.droppedPushesSpendBudget) else {
            throw .budgetSpent
        }
        let id = addCard(
            CardRequest(type: type, attributes: attributes, content: content, updates: updates), origin: .remote,
            timestamp: payload.timestamp)
        cards[cards.count - 1].alerts = 1
        if rules.earlyDismissalDateCounts { cards[cards.count - 1].dismissalDate = payload.dismissalDate }
        // Wakes the app after the card is there, so that its first look finds it.
        wake(for: .push)
        return id
    }

    private func check(ofType name: String) -> PayloadCheck? {
        if let check = checks[name] { return check }
        guard rules.takesQualifiedTypeNames, let last = name.split(separator: ".").last else { return nil }
        return checks[String(last)]
    }

    private func updates(wantedBy payload: ReceivedPayload) throws(IgnoreReason) -> CardUpdates {
        guard let channel = payload.inputPushChannel else {
            let isAsked = payload.inputPushToken || configuration.os < .channels || !rules.needsInputPushToken
            return isAsked ? .token : .local
        }
        guard configuration.os >= .channels else { throw .needsVersion(.channels) }
        if payload.inputPushToken {
            switch rules.bothInputs {
            case .channel: break
            case .token: return .token
            case .noStart: throw .malformed("input-push-token and input-push-channel stand side by side")
            }
        }
        if rules.invalidChannelStopsStart, !Self.isChannelID(channel) {
            throw .malformed("input-push-channel is no id of a channel")
        }
        return .channel(channel)
    }
}
