import EyotDomain

/// A step of the history: the distant moments until which activities rest, apart from those at which work wakes them.
enum RestTables {
    static let migration = Schema.Migration(name: "rests of activities", worksSince: 17) { dialect in
        [
            "ALTER TABLE activities ADD COLUMN rests_until \(dialect.integer)",
            // As `activities_by_due_time`. A call changes the activity's entry there twice, at its end of the index,
            // and none here.
            """
            CREATE INDEX activities_by_rest ON activities (app, rests_until, id, type) \
            WHERE rests_until IS NOT NULL AND halted_at IS NULL
            """,
        ]
    }
}
