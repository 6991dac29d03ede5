import ActivityKitStandIn

/// Airship and Braze both call their example so, with different members. An app has only one of them; a lab's app takes
/// either: what decodes as neither is refused, and members of the other one are passed over.
struct SportsActivityAttributes: ActivityAttributes {
    /// Airship's `status`, or Braze's two scores.
    struct ContentState: Codable, Hashable {
        var status: String?
        var teamOneScore: Int?
        var teamTwoScore: Int?

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            if members.contains(.status) {
                status = try members.decode(String.self, forKey: .status)
            } else {
                teamOneScore = try members.decode(Int.self, forKey: .teamOneScore)
                teamTwoScore = try members.decode(Int.self, forKey: .teamTwoScore)
            }
        }
    }

    var eyotActivityName: String?
    // Airship's.
    var gameID: String?
    // Braze's.
    var gameName: String?
    var gameNumber: String?
    var brazeActivityId: String?

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        eyotActivityName = try members.decodeIfPresent(String.self, forKey: .eyotActivityName)
        if members.contains(.gameID) {
            gameID = try members.decode(String.self, forKey: .gameID)
        } else {
            gameName = try members.decode(String.self, forKey: .gameName)
            gameNumber = try members.decode(String.self, forKey: .gameNumber)
            brazeActivityId = try members.decodeIfPresent(String.self, forKey: .brazeActivityId)
        }
    }
}
