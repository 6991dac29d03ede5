import EyotDomain

extension MemberList: SQLRecord {
    static let table = SQLTable(
        "member_lists", key: "id",
        fixed: [
            "app", "activity", "version", "operation", "accepted_at", "starts_at", "attributes_version", "alerted",
            "scoped",
            "forced", "restarts_dismissed",
        ], changing: ["told"])

    var values: [SQLValue] {
        var start: StartTerms?
        if case .start(let terms) = purpose { start = terms }
        return [
            .integer(id), SQLValue(app), SQLValue(activity), SQLValue(version), .integer(operation),
            SQLValue(acceptedAt), SQLValue(start?.startsAt), SQLValue(start?.attributesVersion ?? 0),
            SQLValue(start?.alerted ?? 0), SQLValue(start?.isScoped ?? false), SQLValue(start?.isForced ?? false),
            SQLValue(start?.restartsDismissed ?? false), .integer(told),
        ]
    }

    init(columns: inout SQLColumns) throws {
        let id = try columns.number()
        let app = AppID(rawValue: try columns.number())
        let activity = ActivityID(rawValue: try columns.number())
        let (version, operation) = (try columns.integer(), try columns.number())
        let (acceptedAt, startsAt) = (try columns.moment(), try columns.optionalMoment())
        let (attributesVersion, alerted) = (try columns.integer(), try columns.integer())
        let (isScoped, isForced, restartsDismissed) = (try columns.flag(), try columns.flag(), try columns.flag())
        let start = startsAt.map { startsAt in
            Purpose.start(
                StartTerms(
                    attributesVersion: attributesVersion, isScoped: isScoped, alerted: alerted, startsAt: startsAt,
                    isForced: isForced, restartsDismissed: restartsDismissed))
        }
        self.init(
            app: app, activity: activity, version: version, operation: operation, purpose: start ?? .scope,
            acceptedAt: acceptedAt)
        self.id = id
        told = try columns.number()
    }
}
