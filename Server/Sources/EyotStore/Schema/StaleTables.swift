import EyotDomain

/// A step of the history: when the newest state of an activity goes stale, and when that of a removed one was true.
enum StaleTables {
    static let migration = Schema.Migration(name: "stale dates of activities", worksSince: 17) { dialect in
        [
            "ALTER TABLE activities ADD COLUMN stale_at \(dialect.integer)",
            "ALTER TABLE kept_reports ADD COLUMN state_as_of \(dialect.integer)",
        ]
    }
}
