import EyotAttributes

struct MatchAttributes: ActivityAttributes {
    struct ContentState: Codable, Hashable {
        var homeScore: Int
    }

    var home: String
}
