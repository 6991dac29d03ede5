import EyotDomain

/// A step of the history: when the newest state of an activity goes stale.
enum StaleTables {
    static let migration = Schema.Migration(name: "stale dates of activities", worksSince: 17) { dialect in
        ["ALTER TABLE activities ADD COLUMN stale_at \(dialect.integer)"]
    }
}
