import EyotAttributes

/// A football match: its fixed part, and inside it the changing part.
///
/// This file belongs to two targets, the app and the widget extension. The app requests the card, the extension draws
/// it, and iOS passes the values between them as JSON. A pushed start names this type in `attributes-type`.
struct MatchAttributes: ActivityAttributes, EyotActivityAttributes, Sendable {
    /// The content of a push. Every push has all of it, so nothing here may depend on earlier content.
    struct ContentState: Codable, Hashable, Sendable {
        /// Goals of the home team.
        var homeScore: Int
        /// Goals of the away team.
        var awayScore: Int
        /// The time of play, for example `23'` or `Half-time`.
        var clock: String
        /// The last notable event. Optional, so that cards of older builds still decode after it is added.
        var lastEvent: String?
    }

    /// The activity's name on the server. The server fills it in when it starts a card.
    var eyotActivityName: String?
    /// The team that is named first.
    var home: String
    /// The other team.
    var away: String
}
