import ActivityKitStandIn
import EyotContract
import EyotKit

extension LabType {
    /// All types that come with a lab: Eyot's own, and those in the guides of vendors and others.
    public static let builtIn: [LabType] = [
        .match,
        found(MatchScoreAttributes.self),
        found(MatchLiveScoreWidgetAttributes.self),
        found(SportsActivityAttributes.self),
        found(SportsGameAttributes.self),
        found(OrderActivityAttributes.self),
        found(WaitTimeDemoAttributes.self, nameMembers: ["eyotActivityName", "bookingId"]),
        found(WaitlistWidgetAttributes.self, nameMembers: ["eyotActivityName", "bookingId"]),
    ]

    /// ``MatchAttributes``.
    public static let match = found(MatchAttributes.self)

    /// Makes a type with a schema derived from it. A test checks that each type here has one.
    private static func found<Attributes: ActivityAttributes & SendableMetatype>(
        _ type: Attributes.Type, nameMembers: [String] = defaultNameMembers
    ) -> LabType where Attributes.ContentState: SendableMetatype {
        LabType(type, nameMembers: nameMembers, schema: try? ActivitySchema(of: type))
    }
}
