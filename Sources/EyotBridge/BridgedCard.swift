import EyotContract
import Foundation

/// A card in the form of the bridge.
public struct BridgedCard: Sendable, Hashable {
    /// ActivityKit's id.
    public var id: String
    /// The name under which the card's type is registered.
    public var attributesType: String
    /// `pending`, `active`, `stale` or `ended`. Briefly also `dismissed`, and `unknown` for a state of a later system.
    public var state: String
    /// The content of the card.
    public var content: BridgedContent
    /// The card's attributes as JSON; `null` if the app's own encoding fails.
    public var attributes: JSONValue

    /// The card in the form for the bridge. The type's name has two keys: Airship's bridge writes `attributesType`, and
    /// the JavaScript and Dart written for it read `attributeTypes`.
    public var json: JSONValue {
        [
            "id": .string(id), "attributesType": .string(attributesType), "attributeTypes": .string(attributesType),
            "state": .string(state), "content": content.json, "attributes": attributes,
        ]
    }
}

/// The content of a card, with its stale date and relevance.
public struct BridgedContent: Sendable, Hashable {
    /// The content state as JSON that decodes as the app's `ContentState`; `null` if the app's own encoding fails.
    public var state: JSONValue
    /// The moment from which the content is stale; nil for never.
    public var staleDate: Date?
    /// Any finite number, relative to the app's other cards.
    public var relevanceScore: Double

    /// Makes content.
    public init(state: JSONValue, staleDate: Date? = nil, relevanceScore: Double = 0) {
        self.state = state
        self.staleDate = staleDate
        self.relevanceScore = relevanceScore
    }

    /// The content in the form for the bridge. Dates are ISO 8601. A card without a stale date lacks that member.
    public var json: JSONValue {
        var object = JSONObject([("state", state)])
        object["staleDate"] = staleDate.map { .string(RFC3339.text(of: $0)) }
        object["relevanceScore"] = JSONValue.finite(relevanceScore) ?? 0
        return .object(object)
    }
}

/// The moment at which an ended card leaves the Lock Screen.
public enum BridgedDismissal: Sendable, Hashable {
    /// After four hours.
    case `default`
    /// At once.
    case immediate
    /// At a moment at most four hours after the end.
    case after(Date)
}

/// All cards of the registered types at one moment.
public struct CardList: Sendable, Hashable {
    /// The cards, sorted by id.
    public let cards: [BridgedCard]

    init(_ cards: [BridgedCard]) { self.cards = cards.sorted { $0.id < $1.id } }

    /// The body of an event: `{"activities": […]}`.
    public var json: JSONValue { ["activities": .array(cards.map(\.json))] }
}
