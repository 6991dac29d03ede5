import EyotDomain

/// A step of the history: the numbers of cards that show a state, without cards that are gone. Before, each card stayed
/// in them that a phone had ever reported.
enum ShownTables {
    static let migration = Schema.Migration(name: "numbers of what is shown", worksSince: 17) { _ in
        [
            "DELETE FROM kept_counts WHERE counter = 'showing'",
            """
            INSERT INTO kept_counts (app, activity, width, second, counter, detail, value)
            SELECT a.app, e.activity, 0, 0, 'showing', \(detail), COUNT(*)
            FROM echoes e JOIN activities a ON a.id = e.activity
            JOIN replicas r ON r.activity = e.activity AND r.ordinal = e.ordinal
            WHERE r.phase IN ('waitingForToken', 'live', 'untracked') OR r.phase = 'dead' AND r.quarantined = 1
            OR r.phase = 'ended' AND r.removal IS NULL AND r.ending IS NULL
            GROUP BY a.app, e.activity, \(detail)
            """,
        ]
    }

    private static let detail = """
        CASE WHEN e.version = 0 THEN '0' \
        WHEN r.scoped > 0 AND r.scoped_as_of IS NOT NULL THEN 'own:' || \(text("e.version")) || ':' \
        || \(text("r.scoped")) || ':' || \(text("r.scoped_as_of")) \
        WHEN e.version < r.scoped THEN 'older:' || \(text("e.version")) \
        WHEN e.version BETWEEN r.kept AND r.kept_until \
        THEN 'until:' || \(text("r.kept_until")) || ':' || \(text("e.version")) ELSE \(text("e.version")) END
        """

    private static func text(_ number: String) -> String { "CAST(\(number) AS TEXT)" }
}
