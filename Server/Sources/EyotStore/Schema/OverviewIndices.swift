/// A step of the history: what lists of an app's activities are read by.
enum OverviewIndices {
    static let migration = Schema.Migration(name: "overview") { _ in
        [
            // The columns after the order let the list be read without the rows.
            "CREATE INDEX activities_running ON activities (app, next_ordinal, id, type) WHERE ended_at IS NULL",
            "CREATE INDEX activities_halted ON activities (app, id) WHERE halted_at IS NOT NULL AND ended_at IS NULL",
            """
            CREATE INDEX activities_planned ON activities (app, starts_at, id) \
            WHERE starts_at IS NOT NULL AND ended_at IS NULL
            """,
            "CREATE INDEX kept_reports_of_app ON kept_reports (app, activity)",
        ]
    }
}
