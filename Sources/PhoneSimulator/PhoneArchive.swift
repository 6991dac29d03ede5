import EyotContract
import Foundation

/// The state that a phone keeps while its lab is switched off: cards, tokens, settings. A value to be written as JSON.
///
/// It omits the log of pushes and the app's process, so the app of a restored phone does not run.
public struct PhoneArchive: Sendable, Codable {
    var settings: PhoneSettings
    var random: SeededGenerator
    var startToken: ArchivedToken?
    var cards: [ArchivedCard]
    var retiredTokens: [RetiredToken]
    var generation: Int
    var installation: Int
    var startedCards: Int
    var hasAllowed: Bool
    var isForceQuit: Bool
    var hasRebooted: Bool
    var isOnline: Bool
    var time: Date
    // Absent in older archives.
    var cardsOfOtherApps: Int?
    var subscribedChannels: [String]?
    var updateMeter: BudgetMeter?
    var startMeter: BudgetMeter?
}

/// A token that died, and when.
struct RetiredToken: Sendable, Codable {
    var token: ArchivedToken
    /// The token's card; nil for a start token.
    var card: String?
    var since: Date
    /// Whether Apple still accepts pushes for it. Absent in older archives, which had no such tokens.
    var isAccepted: Bool?
}

/// A token, written as hexadecimal digits.
struct ArchivedToken: Sendable, Codable {
    let value: PushToken

    init(_ value: PushToken) { self.value = value }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = PushToken(hex: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a token")
        }
        self.value = value
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value.hex)
    }
}

/// A JSON value, written as its text so that order and literals stay.
struct ArchivedJSON: Sendable, Codable {
    let value: JSONValue

    init(_ value: JSONValue) { self.value = value }

    init(from decoder: any Decoder) throws {
        value = try JSONValue(parsing: decoder.singleValueContainer().decode(String.self))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value.text)
    }
}

/// A card.
struct ArchivedCard: Sendable, Codable {
    var id: String
    var type: String
    var attributes: ArchivedJSON
    var origin: SimulatedCard.Origin
    var updates: CardUpdates
    var number: Int
    var state: ArchivedJSON
    var staleDate: Date?
    var relevanceScore: Double
    var phase: CardPhase
    var startedAt: Date
    var endedAt: Date?
    var removedAt: Date?
    var timestamp: Date?
    var updateToken: ArchivedToken?
    var changes: Int
    var alerts: Int
    var isTransient: Bool
    var tokenDueAt: Date?
    // Absent in older archives.
    var dismissalDate: Date?
    var shown: ArchivedShownContent?
    var isAllowed: Bool?

    init(_ card: SimulatedCard) {
        id = card.id
        type = card.type
        attributes = ArchivedJSON(card.attributes)
        origin = card.origin
        updates = card.updates
        number = card.number
        state = ArchivedJSON(card.content.state)
        staleDate = card.content.staleDate
        relevanceScore = card.content.relevanceScore
        phase = card.phase
        startedAt = card.startedAt
        endedAt = card.endedAt
        removedAt = card.removedAt
        timestamp = card.timestamp
        updateToken = card.updateToken.map(ArchivedToken.init)
        changes = card.changes
        alerts = card.alerts
        isTransient = card.isTransient
        tokenDueAt = card.tokenDueAt
        dismissalDate = card.dismissalDate
        shown = ArchivedShownContent(card.shown)
        isAllowed = card.isAllowed
    }

    var card: SimulatedCard {
        let content = CardContent(state: state.value, staleDate: staleDate, relevanceScore: relevanceScore)
        return SimulatedCard(
            id: id, type: type, attributes: attributes.value, origin: origin, updates: updates, number: number,
            content: content, shown: shown?.value ?? ShownContent(content: content, since: startedAt), phase: phase,
            startedAt: startedAt, endedAt: endedAt, removedAt: removedAt, timestamp: timestamp,
            updateToken: updateToken?.value, changes: changes, alerts: alerts, isTransient: isTransient,
            isAllowed: isAllowed ?? false, dismissalDate: dismissalDate, tokenDueAt: tokenDueAt)
    }
}

/// The part of a card that is on the screen.
struct ArchivedShownContent: Sendable, Codable {
    var state: ArchivedJSON
    var staleDate: Date?
    var relevanceScore: Double
    var since: Date
    var count: Int

    init(_ shown: ShownContent) {
        state = ArchivedJSON(shown.content.state)
        staleDate = shown.content.staleDate
        relevanceScore = shown.content.relevanceScore
        since = shown.since
        count = shown.count
    }

    var value: ShownContent {
        let content = CardContent(state: state.value, staleDate: staleDate, relevanceScore: relevanceScore)
        return ShownContent(content: content, since: since, count: count)
    }
}
