import EyotKit
import Foundation

/// The type that most tests start cards of.
package struct MatchAttributes: ActivityAttributes {
    /// The changing part.
    package struct ContentState: Codable, Hashable {
        var score: Int
        var goals: [Goal]?
    }

    /// A value with members of its own, so that a path has several steps.
    package struct Goal: Codable, Hashable {
        var minute: Int
    }

    /// The card's name on a server.
    package var match: String
}

/// Another type, so that there are two.
package struct DeliveryAttributes: ActivityAttributes {
    /// The changing part.
    package struct ContentState: Codable, Hashable {
        var due: Date
    }

    var order: Int
}
