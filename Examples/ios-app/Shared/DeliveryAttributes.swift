import EyotAttributes
import Foundation

/// A parcel on its way. In both targets, like `MatchAttributes`.
struct DeliveryAttributes: ActivityAttributes, EyotActivityAttributes, Sendable {
    /// How far it has come. A case that an older build does not know would not decode there, and nothing would be shown.
    enum Stage: String, Codable, CaseIterable, Sendable {
        case ordered, packed, onTheWay, delivered
    }

    struct ContentState: Codable, Hashable, Sendable {
        var stage: Stage
        /// Other doors before this one.
        var stopsBefore: Int
        /// When it will be there. In a push this is a number: **seconds since 2001-01-01**, as `JSONDecoder` has it by
        /// default. UNIX seconds would be thirty-one years off, and a text would not decode at all.
        var arrival: Date?
    }

    var eyotActivityName: String?
    /// As the shop writes it. No name and no address: everybody who sees the phone sees the card.
    var orderNumber: String
}
