import ActivityKitStandIn
import EyotContract
import EyotKit

extension LabType {
    /// Every type that comes with a lab: our own, and those that the vendors' and other guides name.
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

    /// A type with the schema that is found from it. A test sees to it that each type here has one.
    private static func found<Attributes: ActivityAttributes & SendableMetatype>(
        _ type: Attributes.Type, nameMembers: [String] = defaultNameMembers
    ) -> LabType where Attributes.ContentState: SendableMetatype {
        LabType(type, nameMembers: nameMembers, schema: try? ActivitySchema(of: type))
    }
}
