import EyotAttributes
import Foundation

/// A parcel on its way. In both targets, like `MatchAttributes`.
struct DeliveryAttributes: ActivityAttributes, EyotActivityAttributes, Sendable {
    /// The progress of the delivery. An older build cannot decode a case that it does not know, and would show nothing.
    enum Stage: String, Codable, CaseIterable, Sendable {
        case ordered, packed, onTheWay, delivered
    }

    struct ContentState: Codable, Hashable, Sendable {
        var stage: Stage
        /// Other doors before this one.
        var stopsBefore: Int
        /// The time of arrival. In a push this is a number, **seconds since 2001-01-01**, which is `JSONDecoder`'s
        /// default. UNIX seconds would be thirty-one years off, and a text would not decode at all.
        var arrival: Date?
    }

    var eyotActivityName: String?
    /// As the shop writes it. It holds no name and no address, because the card is visible to anyone who sees the
    /// phone.
    var orderNumber: String
}
