import EyotAttributes

/// A place in a queue, for example for a table. In both targets, like `MatchAttributes`.
struct WaitingListAttributes: ActivityAttributes, EyotActivityAttributes, Sendable {
    struct ContentState: Codable, Hashable, Sendable {
        /// How many are to be seated before, and this party: 1 is next.
        var position: Int
        /// Minutes that it may take.
        var minutes: Int
    }

    var eyotActivityName: String?
    /// The place of the queue.
    var place: String
    /// How many stood there at the beginning; the bar is full when all of them are seated.
    var positionAtStart: Int
}
