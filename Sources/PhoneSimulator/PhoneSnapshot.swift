import EyotContract
import Foundation

/// Everything about a phone that people and tests may want to see, at one moment.
public struct PhoneSnapshot: Sendable {
    /// The phone's state, from which everything else is told.
    public let state: PhoneState

    /// What a phone is like.
    public init(_ state: PhoneState) { self.state = state }

    /// As JSON: settings, process, tokens (whole, since they are simulated), cards and pushes.
    public var json: JSONValue {
        let configuration = state.configuration
        return [
            "id": .string(configuration.id), "os": .string(configuration.os.description),
            "bundleID": .string(configuration.bundleID), "environment": .string(configuration.environment.rawValue),
            "settings": settings, "app": .string(state.run.rawValue), "launches": .integer(state.generation),
            "installation": .integer(state.installation), "online": .bool(state.isOnline),
            "startToken": text(state.startToken?.hex), "leads": text(state.leadingCard?.id),
            "cards": .array(state.cards.map(json(of:))), "pushes": .array(state.pushes.entries.map(json(of:))),
            "pushesTotal": .integer(state.pushes.total), "faults": .array(state.faults.entries.map { .string($0) }),
        ]
    }

    private var settings: JSONValue {
        [
            "activitiesEnabled": .bool(state.settings.activitiesEnabled),
            "frequentPushesEnabled": .bool(state.settings.frequentPushesEnabled),
            "allowed": .string(state.settings.allowed.rawValue), "hasAllowed": .bool(state.hasAllowed),
            "clockSkew": .floating(state.settings.clockSkew),
        ]
    }

    private func json(of card: SimulatedCard) -> JSONValue {
        [
            "id": .string(card.id), "type": .string(card.type), "attributes": card.attributes,
            "contentState": card.content.state, "state": .string(card.phase.rawValue),
            "origin": .string(card.origin.rawValue), "updateToken": text(card.updateToken?.hex),
            "channel": text(card.updates.channel), "leads": .bool(card.id == state.leadingCard?.id),
            "staleDate": time(card.content.staleDate), "relevanceScore": .floating(card.content.relevanceScore),
            "timestamp": time(card.timestamp), "startedAt": time(card.startedAt), "endedAt": time(card.endedAt),
            "removedAt": time(card.removedAt), "changes": .integer(card.changes),
            "alerts": .integer(card.alerts),
        ]
    }

    private func json(of record: PushRecord) -> JSONValue {
        let push = record.push
        return [
            "number": .integer(record.number), "receivedAt": time(record.receivedAt),
            "id": text(push.id?.description), "token": .string(push.token.hex), "topic": .string(push.topic),
            "pushType": .string(push.pushType.rawValue), "priority": .integer(push.priority.rawValue),
            "expiration": push.expiration.map(JSONValue.integer) ?? .null, "collapseID": text(push.collapseID),
            "event": text(record.event?.rawValue), "timestamp": time(record.timestamp),
            "alerted": .bool(record.alerted), "effect": .string(record.effect.word), "card": text(record.effect.card),
            "reason": text(record.effect.reason?.code), "explanation": text(record.effect.reason?.explanation),
            "payload": payload(push.payload),
        ]
    }

    /// The payload as a value; as text where it is no JSON.
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

    private func time(_ date: Date?) -> JSONValue {
        guard let date, Self.writableSeconds.contains(date.timeIntervalSince1970) else { return .null }
        return .string(RFC3339.text(of: date))
    }
}

extension CardUpdates {
    /// The channel's id, where updates come from one.
    public var channel: String? {
        if case .channel(let id) = self { id } else { nil }
    }
}

extension JSONValue {
    /// A number that may have a fraction; `null` for what is no number, which JSON cannot say.
    fileprivate static func floating(_ value: Double) -> JSONValue { value.isFinite ? .number("\(value)") : .null }
}

extension SimulatedPhone {
    /// What the phone is like now.
    public var snapshot: PhoneSnapshot { PhoneSnapshot(state) }
}
