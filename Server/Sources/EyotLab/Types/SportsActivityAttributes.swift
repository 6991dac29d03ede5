import ActivityKitStandIn
import EyotContract

/// The example type of both Airship and Braze, which share the name but not the members. An app has only one of them,
/// and a lab's app accepts either. A value that decodes as neither is refused, and members of the other are ignored.
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

// The members decide how a value is decoded, so the shapes are given by hand. For a value that fits neither, the error
// names what Braze's shape misses.

extension SportsActivityAttributes: JSONShapeDescribing {
    static let jsonShape = JSONShape.union([
        .object(
            ObjectShape([
                .init("eyotActivityName", .optional(.text(.string)), isRequired: false),
                .init("gameName", .text(.string)), .init("gameNumber", .text(.string)),
                .init("brazeActivityId", .optional(.text(.string)), isRequired: false),
            ])),
        .object(
            ObjectShape([
                .init("eyotActivityName", .optional(.text(.string)), isRequired: false),
                .init("gameID", .text(.string)),
            ])),
    ])
}

extension SportsActivityAttributes.ContentState: JSONShapeDescribing {
    static let jsonShape = JSONShape.union([
        .object(ObjectShape([.init("teamOneScore", .number(.int)), .init("teamTwoScore", .number(.int))])),
        .object(ObjectShape([.init("status", .text(.string))])),
    ])
}
