import EyotDomain

/// A step of the history: fingerprints of tokens and operations in events, events by their kind, and counts of events
/// for each app.
enum TwelfthTables {
    static let migration = Schema.Migration(name: "events by kind") { dialect in
        let (integer, text) = (dialect.integer, dialect.text)
        return [
            "ALTER TABLE events ADD COLUMN token \(text)",
            "ALTER TABLE events ADD COLUMN operation \(integer)",
            "CREATE INDEX events_of_kind ON events (app, kind, at, id)",
            // An hour has 3,600 seconds, and moments have microseconds. Reasons of these kinds are names of types.
            """
            INSERT INTO kept_counts (app, activity, width, second, counter, detail, value)
            SELECT app, 0, 3600, at / 3600000000 * 3600, kind, CASE
            WHEN kind IN (\(typed)) THEN '' ELSE COALESCE(reason, '') END AS detail, COUNT(*)
            FROM events GROUP BY app, at / 3600000000, kind, detail
            """,
        ]
    }

    private static let typed =
        "'token.start.removed', 'token.start.replaced', 'token.start.restored', 'token.start.set'"
}
