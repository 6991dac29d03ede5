import EyotContract
import Foundation

/// A card that appeared without the app having named it.
public struct AppearedCard: Sendable {
    /// Its name, instance and type.
    public let card: Card
    private let attributesJSON: Data
    private let stateJSON: Data

    init(card: Card, attributes: Data, state: Data) {
        self.card = card
        attributesJSON = attributes
        stateJSON = state
    }

    /// Its attributes, as the app's own type.
    public func attributes<Attributes: Decodable>(as type: Attributes.Type) throws -> Attributes {
        try JSONDecoder().decode(type, from: attributesJSON)
    }

    /// The state that it showed when it appeared, as the app's own type.
    public func state<State: Decodable>(as type: State.Type) throws -> State {
        try JSONDecoder().decode(type, from: stateJSON)
    }
}
