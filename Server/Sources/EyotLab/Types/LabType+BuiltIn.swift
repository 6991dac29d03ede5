extension LabType {
    /// Every type that comes with a lab: our own, and those that the vendors' and other guides name.
    public static let builtIn: [LabType] = [
        .match,
        LabType(MatchScoreAttributes.self),
        LabType(MatchLiveScoreWidgetAttributes.self),
        LabType(SportsActivityAttributes.self),
        LabType(SportsGameAttributes.self),
        LabType(OrderActivityAttributes.self),
        LabType(WaitTimeDemoAttributes.self, nameMembers: ["eyotActivityName", "bookingId"]),
        LabType(WaitlistWidgetAttributes.self, nameMembers: ["eyotActivityName", "bookingId"]),
    ]

    /// ``MatchAttributes``.
    public static let match = LabType(MatchAttributes.self)
}
