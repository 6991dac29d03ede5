import ActivityKitStandIn
import EyotContract

// The Live Activity types in other services' guides, with their member names. A backend that follows such a guide finds
// its type on the lab's phones. Each type also accepts Eyot's name member, which a start by Eyot may carry.

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

/// The type in Netmera's calls, with its required members.
struct MatchLiveScoreWidgetAttributes: ActivityAttributes {
    typealias ContentState = MatchScoreAttributes.ContentState

    var eyotActivityName: String?
    var netmeraGroupId: String?
    var leagueName: String
    var homeTeamName: String
    var awayTeamName: String
    var matchStartTime: String
}

/// The type in Airship's calls from other languages.
struct SportsGameAttributes: ActivityAttributes {
    struct ContentState: Codable, Hashable {
        var status: String
    }

    var eyotActivityName: String?
    var gameID: String
}

/// The identifier of Insider's cards: a name, or an object with the name, the person and the app.
enum OrderIdentifier: Codable, Hashable, JSONShapeDescribing {
    case name(String)
    case object(activityId: String, insiderId: String?, partnerName: String?)

    private enum Members: String, CodingKey {
        case activityId, insiderId, partnerName
    }

    static let jsonShape = JSONShape.union([
        .text(.string),
        .object(
            ObjectShape([
                .init("activityId", .text(.string)),
                .init("insiderId", .optional(.text(.string)), isRequired: false),
                .init("partnerName", .optional(.text(.string)), isRequired: false),
            ])),
    ])

    init(from decoder: any Decoder) throws {
        if let name = try? decoder.singleValueContainer().decode(String.self) {
            self = .name(name)
            return
        }
        let members = try decoder.container(keyedBy: Members.self)
        self = .object(
            activityId: try members.decode(String.self, forKey: .activityId),
            insiderId: try members.decodeIfPresent(String.self, forKey: .insiderId),
            partnerName: try members.decodeIfPresent(String.self, forKey: .partnerName))
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .name(let name):
            var container = encoder.singleValueContainer()
            try container.encode(name)
        case .object(let activityId, let insiderId, let partnerName):
            var members = encoder.container(keyedBy: Members.self)
            try members.encode(activityId, forKey: .activityId)
            try members.encodeIfPresent(insiderId, forKey: .insiderId)
            try members.encodeIfPresent(partnerName, forKey: .partnerName)
        }
    }
}

/// Insider's example of an order.
struct OrderActivityAttributes: ActivityAttributes {
    struct ContentState: Codable, Hashable {
        var minutesLeft: Int
        var status: String
    }

    var eyotActivityName: String?
    var insiderLiveActivityId: OrderIdentifier
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

/// The same queue, as the manual calls of Canopas' guide name it.
struct WaitlistWidgetAttributes: ActivityAttributes {
    typealias ContentState = WaitTimeDemoAttributes.ContentState

    var eyotActivityName: String?
    var waitlistName: String
    var bookingId: String
}
