// Swift of docs/guides/first-card.md, word for word, in the project that Xcode makes.
import EyotAttributes

struct MatchAttributes: ActivityAttributes, EyotActivityAttributes, Sendable {
    struct ContentState: Codable, Hashable, Sendable {
        var homeScore: Int
        var awayScore: Int
        var clock: String
        var lastEvent: String?
    }

    var eyotActivityName: String?
    var home: String
    var away: String
}
