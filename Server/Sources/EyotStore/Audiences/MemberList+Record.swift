import EyotDomain

extension MemberList: SQLRecord {
    static let table = SQLTable(
        "member_lists", key: "id",
        fixed: [
            "app", "activity", "version", "operation", "accepted_at", "starts_at", "attributes_version", "alerted",
            "scoped",
            "forced", "restarts_dismissed", "as_of", "first_ordinal", "person_number",
        ], changing: ["processed"])

    var values: [SQLValue] {
        var start: StartTerms?
        var first: Int?
        switch purpose {
        case .start(let terms): start = terms
        case .pendingStarts(let ordinal): first = ordinal
        case .scope: break
        }
        return [
            .integer(id), SQLValue(app), SQLValue(activity), SQLValue(version), .integer(operation),
            SQLValue(acceptedAt), SQLValue(start?.startsAt), SQLValue(start?.attributesVersion ?? 0),
            SQLValue(start?.alerted ?? 0), SQLValue(start?.isScoped ?? false), SQLValue(start?.isForced ?? false),
            SQLValue(start?.restartsDismissed ?? false), SQLValue(start?.asOf), SQLValue(first), SQLValue(personNumber),
            .integer(processed),
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
        let asOf = try columns.optionalMoment()
        let start = startsAt.map { startsAt in
            var terms = StartTerms(
                attributesVersion: attributesVersion, isScoped: isScoped, alerted: alerted, startsAt: startsAt,
                isForced: isForced, restartsDismissed: restartsDismissed)
            terms.asOf = asOf
            return Purpose.start(terms)
        }
        let pendingStarts = try columns.optionalInteger().map { Purpose.pendingStarts(first: $0) }
        self.init(
            app: app, activity: activity, version: version, operation: operation,
            purpose: start ?? pendingStarts ?? .scope,
            acceptedAt: acceptedAt, personNumber: try columns.integer())
        self.id = id
        processed = try columns.number()
    }
}
