import EyotContract
import Foundation

/// One card as the bridge tells of it.
public struct BridgedCard: Sendable, Hashable {
    /// ActivityKit's id.
    public var id: String
    /// The name under which the card's type is registered.
    public var attributesType: String
    /// `pending`, `active`, `stale` or `ended`; `dismissed` for a moment, and `unknown` for what a later system may bring.
    public var state: String
    /// What it shows.
    public var content: BridgedContent
    /// Its attributes as JSON; `null` where the app's own encoding fails.
    public var attributes: JSONValue

    /// As it goes over the bridge. The type's name goes under two keys: Airship's bridge writes `attributesType`, and the
    /// JavaScript and Dart written for it read `attributeTypes`.
    public var json: JSONValue {
        [
            "id": .string(id), "attributesType": .string(attributesType), "attributeTypes": .string(attributesType),
            "state": .string(state), "content": content.json, "attributes": attributes,
        ]
    }
}

/// What a card shows, and for how long it is worth showing.
public struct BridgedContent: Sendable, Hashable {
    /// The content state as JSON, as the app's `ContentState` decodes it; `null` where the app's own encoding fails.
    public var state: JSONValue
    /// When it is out of date; nil for never.
    public var staleDate: Date?
    /// Relative to the app's other cards; any finite number.
    public var relevanceScore: Double

    /// Content.
    public init(state: JSONValue, staleDate: Date? = nil, relevanceScore: Double = 0) {
        self.state = state
        self.staleDate = staleDate
        self.relevanceScore = relevanceScore
    }

    /// As it goes over the bridge; dates are ISO 8601, and a card without a stale date has no such member.
    public var json: JSONValue {
        var object = JSONObject([("state", state)])
        object["staleDate"] = staleDate.map { .string(RFC3339.text(of: $0)) }
        object["relevanceScore"] = JSONValue.finite(relevanceScore) ?? 0
        return .object(object)
    }
}

/// When a card that ends goes from the Lock Screen.
public enum BridgedDismissal: Sendable, Hashable {
    /// After four hours.
    case `default`
    /// At once.
    case immediate
    /// At a moment, at most four hours after the end.
    case after(Date)
}

/// All cards of the registered types at one moment.
public struct CardList: Sendable, Hashable {
    /// The cards, by their ids.
    public let cards: [BridgedCard]

    init(_ cards: [BridgedCard]) { self.cards = cards.sorted { $0.id < $1.id } }

    /// The body of an event: `{"activities": […]}`.
    public var json: JSONValue { ["activities": .array(cards.map(\.json))] }
}
