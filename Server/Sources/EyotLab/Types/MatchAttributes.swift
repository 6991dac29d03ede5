import ActivityKitStandIn
import EyotKit

/// A football match: the type of the demo.
public struct MatchAttributes: ActivityAttributes, EyotActivityAttributes, Sendable {
    /// The part that changes during the match.
    public struct ContentState: Codable, Hashable, Sendable {
        /// Goals of the home team.
        public var homeScore: Int
        /// Goals of the away team.
        public var awayScore: Int
        /// The state of play, for example `23'` or `Half-time`.
        public var clock: String
        /// The last notable event, for example a goal with its scorer.
        public var lastEvent: String?

        /// Makes a state.
        public init(homeScore: Int, awayScore: Int, clock: String, lastEvent: String? = nil) {
            self.homeScore = homeScore
            self.awayScore = awayScore
            self.clock = clock
            self.lastEvent = lastEvent
        }
    }

    /// The activity's name on the server.
    public var eyotActivityName: String?
    /// The team that is named first.
    public var home: String
    /// The other team.
    public var away: String

    /// Makes a match.
    public init(eyotActivityName: String?, home: String, away: String) {
        self.eyotActivityName = eyotActivityName
        self.home = home
        self.away = away
    }
}
