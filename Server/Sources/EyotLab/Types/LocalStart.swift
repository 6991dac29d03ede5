import ActivityKitStandIn
import EyotContract
import EyotKit
import Foundation

/// A card that the app on a phone is to start itself.
public struct LocalStart: Sendable {
    /// The name of the type.
    public var type: String
    /// The fixed data.
    public var attributes: JSONValue
    /// What to show first.
    public var contentState: JSONValue
    /// The card's name; nil leaves it to the attributes.
    public var name: String?
    /// By the phone's clock.
    public var staleDate: Date?
    /// Relative to the app's other cards.
    public var relevanceScore: Double

    /// A card to be started.
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

    /// Asks ActivityKit, on the phone of the current task.
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
