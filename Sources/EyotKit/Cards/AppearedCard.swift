import EyotContract
import Foundation

/// A card that appeared and was not named by the app.
public struct AppearedCard: Sendable {
    /// The card's name, instance and type.
    public let card: Card
    private let attributesJSON: Data
    private let stateJSON: Data

    init(card: Card, attributes: Data, state: Data) {
        self.card = card
        attributesJSON = attributes
        stateJSON = state
    }

    /// Decodes the card's attributes as the app's own type.
    public func attributes<Attributes: Decodable>(as type: Attributes.Type) throws -> Attributes {
        try JSONDecoder().decode(type, from: attributesJSON)
    }

    /// Decodes the state that the card showed when it appeared, as the app's own type.
    public func state<State: Decodable>(as type: State.Type) throws -> State {
        try JSONDecoder().decode(type, from: stateJSON)
    }
}
