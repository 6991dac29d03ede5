import ActivityKitStandIn
import EyotContract
import EyotKit
import Foundation

/// A card that the app on a phone starts itself.
public struct LocalStart: Sendable {
    /// The name of the type.
    public var type: String
    /// The attributes, which do not change.
    public var attributes: JSONValue
    /// The first state.
    public var contentState: JSONValue
    /// The card's name; nil means the one in the attributes.
    public var name: String?
    /// The stale date, by the phone's clock.
    public var staleDate: Date?
    /// The relevance compared to the app's other cards.
    public var relevanceScore: Double

    /// Makes a start.
    public init(
        type: String, attributes: JSONValue, contentState: JSONValue, name: String? = nil, staleDate: Date? = nil,
        relevanceScore: Double = 0
    ) {
        self.type = type
        self.attributes = attributes
        self.contentState = contentState
        self.name = name
        self.staleDate = staleDate
        self.relevanceScore = relevanceScore
    }

    /// Requests the card from ActivityKit on the phone of the current task.
    func request<Attributes: ActivityAttributes>(_ type: Attributes.Type) throws -> Activity<Attributes> {
        let content = ActivityContent(
            state: try decoded(Attributes.ContentState.self, from: contentState, at: "contentState"),
            staleDate: staleDate, relevanceScore: relevanceScore)
        return try Activity.request(
            attributes: decoded(type, from: attributes, at: "attributes"), content: content, pushType: .token)
    }

    private func decoded<Value: Decodable>(
        _ type: Value.Type, from json: JSONValue, at path: String
    ) throws(LabError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(json.utf8))
        } catch {
            throw .startRefused(SchemaMismatch.words(for: error, decoding: type, from: json, below: path))
        }
    }
}
