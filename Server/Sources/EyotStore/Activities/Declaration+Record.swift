import APNSWire
import EyotContract
import EyotDomain

extension Declaration: SQLRecord {
    static let table = SQLTable(
        "declarations", key: "activity", "version",
        fixed: [
            "kind", "members", "accepted_at", "as_of", "follows", "attributes", "state", "alert", "alert_expires_at",
            "stale_date", "dismissal_date", "relevance_score", "priority", "urgent", "aps", "start_alert",
            "stale_after",
        ], changing: ["released_at"])

    var values: [SQLValue] {
        [
            SQLValue(activity), SQLValue(version), SQLValue(kind.rawValue), SQLValue(scope.members),
            SQLValue(acceptedAt), SQLValue(asOf), SQLValue(follows), SQLValue(attributes), SQLValue(content.state),
            SQLValue(content.alert?.body), SQLValue(content.alert?.expiresAt),
            SQLValue(content.staleDate), SQLValue(content.dismissalDate),
            SQLValue(content.relevanceScore.map { "\($0)" }), SQLValue(content.priority?.rawValue),
            SQLValue(content.isUrgent), SQLValue(content.aps), SQLValue(content.startAlert?.body),
            SQLValue(content.staleAfter), SQLValue(releasedAt),
        ]
    }

    init(columns: inout SQLColumns) throws {
        let activity = ActivityID(rawValue: try columns.number())
        let version = try columns.integer()
        let kind: Kind = try columns.word()
        let scope = try columns.optionalInteger().map(Scope.members(count:)) ?? .everyone
        let acceptedAt = try columns.moment()
        let asOf = try columns.optionalMoment()
        let follows = try columns.integer()
        let attributes = try columns.optionalJSON()
        self.init(
            activity: activity, version: version, kind: kind, scope: scope, content: try Content(columns: &columns),
            attributes: attributes, acceptedAt: acceptedAt, asOf: asOf)
        self.follows = follows
        releasedAt = try columns.optionalMoment()
    }
}

extension Declaration.Scope {
    /// How many members the scope has; nil for everyone.
    fileprivate var members: Int? {
        switch self {
        case .everyone: nil
        case .members(let count): count
        }
    }
}

extension Content {
    fileprivate init(columns: inout SQLColumns) throws {
        self.init(
            state: try columns.optionalJSON(), alert: try Alert(columns: &columns),
            staleDate: try columns.optionalInteger(), dismissalDate: try columns.optionalInteger(),
            relevanceScore: try columns.optionalText().flatMap(Double.init),
            priority: try columns.optionalInteger().flatMap(APNSPriority.init(rawValue:)),
            isUrgent: try columns.flag(), aps: try columns.optionalJSON())
        startAlert = try columns.optionalJSON().map(AlertText.init)
        staleAfter = try columns.optionalInteger()
    }
}

extension Alert {
    fileprivate init?(columns: inout SQLColumns) throws {
        let body = try columns.optionalJSON()
        let expiresAt = try columns.optionalMoment()
        guard let body, let expiresAt else { return nil }
        self.init(body: body, expiresAt: expiresAt)
    }
}
