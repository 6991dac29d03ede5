import ActivityKitStandIn

// The Live Activity types that other services' guides use, with their member names, so that a backend written by such a
// guide finds its type on the lab's phones. Each also takes our own name member, which a start by Eyot may carry.

/// Netmera's example of a match.
struct MatchScoreAttributes: ActivityAttributes {
    struct ContentState: Codable, Hashable {
        var homeTeamScore: Int
        var awayTeamScore: Int
        var matchStatus: String
    }

    var eyotActivityName: String?
    var netmeraGroupId: String?
    var homeTeamName: String
    var awayTeamName: String
    var homeTeamLogo: String
    var awayTeamLogo: String
}

/// The type that Netmera's calls name, with the members that they demand.
struct MatchLiveScoreWidgetAttributes: ActivityAttributes {
    typealias ContentState = MatchScoreAttributes.ContentState

    var eyotActivityName: String?
    var netmeraGroupId: String?
    var leagueName: String
    var homeTeamName: String
    var awayTeamName: String
    var matchStartTime: String
}

/// The type that Airship's calls from other languages name.
struct SportsGameAttributes: ActivityAttributes {
    struct ContentState: Codable, Hashable {
        var status: String
    }

    var eyotActivityName: String?
    var gameID: String
}

/// Insider's example of an order. Its identifier is one string here, as its type is written in JSON by default.
struct OrderActivityAttributes: ActivityAttributes {
    struct ContentState: Codable, Hashable {
        var minutesLeft: Int
        var status: String
    }

    var eyotActivityName: String?
    var insiderLiveActivityId: String
    var orderId: String
}

/// A place in a queue, as in Canopas' guide.
struct WaitTimeDemoAttributes: ActivityAttributes {
    struct ContentState: Codable, Hashable {
        var progress: Double
        var currentPositionInQueue: Int
    }

    var eyotActivityName: String?
    var waitlistName: String
    var waitlistId: String
    var bookingId: String
}

/// The same queue as the guide's calls by hand name it.
struct WaitlistWidgetAttributes: ActivityAttributes {
    typealias ContentState = WaitTimeDemoAttributes.ContentState

    var eyotActivityName: String?
    var waitlistName: String
    var bookingId: String
}
