import EyotContract
import Foundation

extension PhoneState {
    /// The phone's state for people and tests: settings, process, tokens, cards and pushes. Tokens are whole, because
    /// they are simulated. Times are RFC 3339, absent values `null`.
    public var json: JSONValue {
        [
            "id": .string(configuration.id), "os": .string(configuration.os.description),
            "bundleID": .string(configuration.bundleID), "environment": .string(configuration.environment.rawValue),
            "settings": settingsJSON, "app": .string(run.rawValue), "launches": .integer(generation),
            "installation": .integer(installation), "online": .bool(isOnline), "startToken": text(startToken?.hex),
            "leads": text(leadingCard?.id), "lockScreen": .array(lockScreen.map { .string($0.id) }),
            "channels": .array(subscribedChannels.sorted().map { .string($0) }),
            "cards": .array(cards.map(json(of:))),
            "pushes": .array(pushes.entries.map(json(of:))), "pushesTotal": .integer(pushes.total),
            "faults": .array(faults.entries.map { .string($0) }),
        ]
    }

    private var settingsJSON: JSONValue {
        [
            "activitiesEnabled": .bool(settings.activitiesEnabled),
            "frequentPushesEnabled": .bool(settings.frequentPushesEnabled),
            "lowPowerMode": .bool(settings.lowPowerMode),
            "allowed": .string(settings.allowed.rawValue), "hasAllowed": .bool(hasAllowed),
            "clockSkew": .floating(settings.clockSkew),
        ]
    }

    private func json(of card: SimulatedCard) -> JSONValue {
        [
            "id": .string(card.id), "type": .string(card.type), "attributes": card.attributes,
            "contentState": card.content.state, "shownState": card.shown.content.state,
            "state": .string(card.phase.rawValue),
            "origin": .string(card.origin.rawValue), "updateToken": text(card.updateToken?.hex),
            "channel": text(card.updates.channel), "leads": .bool(card.id == leadingCard?.id),
            "staleDate": text(card.content.staleDate), "relevanceScore": .floating(card.content.relevanceScore),
            "timestamp": text(card.timestamp), "startedAt": text(card.startedAt), "endedAt": text(card.endedAt),
            "removedAt": text(card.removedAt), "changes": .integer(card.changes),
            "alerts": .integer(card.alerts),
        ]
    }

    private func json(of record: PushRecord) -> JSONValue {
        let push = record.push
        return [
            "number": .integer(record.number), "receivedAt": text(record.receivedAt),
            "id": text(push.id?.description), "token": text(push.token?.hex), "channel": text(push.channel),
            "topic": .string(push.topic),
            "pushType": .string(push.pushType.rawValue), "priority": .integer(push.priority.rawValue),
            "expiration": push.expiration.map(JSONValue.integer) ?? .null, "collapseID": text(push.collapseID),
            "event": text(record.event?.rawValue), "timestamp": text(record.timestamp),
            "alerted": .bool(record.alerted), "effect": .string(record.effect.word), "card": text(record.effect.card),
            "reason": text(record.effect.reason?.code), "explanation": text(record.effect.reason?.explanation),
            "payload": payload(push.payload),
        ]
    }

    /// The payload as a value, or as text if it is no JSON.
    private func payload(_ bytes: [UInt8]) -> JSONValue {
        do {
            return try JSONValue(parsing: bytes)
        } catch {
            return .string(String(decoding: bytes, as: UTF8.self))
        }
    }

    private func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

    /// UNIX seconds that have an RFC 3339 text: the years 0 to 9999.
    static let writableSeconds = -62_167_219_200.0...253_402_300_799.0

    private func text(_ date: Date?) -> JSONValue {
        guard let date, Self.writableSeconds.contains(date.timeIntervalSince1970) else { return .null }
        return .string(RFC3339.text(of: date))
    }
}

extension CardUpdates {
    /// The channel's id, if updates come from a channel.
    public var channel: String? {
        if case .channel(let id) = self { id } else { nil }
    }
}

extension JSONValue {
    /// A number that may have a fraction; `null` if it is not finite, because JSON has no such numbers.
    fileprivate static func floating(_ value: Double) -> JSONValue { value.isFinite ? .number("\(value)") : .null }
}
