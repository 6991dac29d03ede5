import EyotDomain

extension TypeProfile: SQLRecord {
    static let table = SQLTable(
        "type_profiles", key: "app", "type",
        changing: [
            "spacing", "sparing_spacing", "starts_per_hour", "stale_after", "relevance_score", "restart_after",
        ])

    var values: [SQLValue] {
        [
            SQLValue(app), SQLValue(type), SQLValue(spacing), SQLValue(sparingSpacing), SQLValue(startsPerHour),
            SQLValue(staleAfter), SQLValue(relevanceScore.map { "\($0)" }), SQLValue(restartAfter),
        ]
    }

    init(columns: inout SQLColumns) throws {
        self.init(app: AppID(rawValue: try columns.number()), type: try columns.text())
        spacing = try columns.integer()
        sparingSpacing = try columns.optionalInteger()
        startsPerHour = try columns.integer()
        staleAfter = try columns.optionalInteger()
        relevanceScore = try columns.optionalText().flatMap(Double.init)
        // A profile of the former version has none.
        restartAfter = try columns.optionalInteger() ?? restartAfter
    }
}
