import EyotDomain

/// A step of the history: kept numbers of activities, and what stays of an activity for its report.
enum EleventhTables {
    static let migration = Schema.Migration(name: "kept numbers") { dialect in
        let (integer, text) = (dialect.integer, dialect.text)
        return [
            """
            CREATE TABLE kept_counts (
                app \(integer) NOT NULL,
                activity \(integer) NOT NULL,
                width \(integer) NOT NULL,
                second \(integer) NOT NULL,
                counter \(text) NOT NULL,
                detail \(text) NOT NULL,
                value \(integer) NOT NULL,
                PRIMARY KEY (app, activity, width, second, counter, detail)
            ) \(dialect.clusteredRows)
            """,
            "CREATE INDEX kept_counts_by_age ON kept_counts (width, second) WHERE width > 0",
            """
            CREATE TABLE kept_reports (
                activity \(integer) NOT NULL PRIMARY KEY,
                app \(integer) NOT NULL,
                name \(text) NOT NULL,
                generation \(integer) NOT NULL,
                type \(text),
                version \(integer) NOT NULL,
                state \(integer) NOT NULL,
                created_at \(integer) NOT NULL,
                ended_at \(integer),
                kept_since \(integer)
            ) \(dialect.rows)
            """,
            "CREATE INDEX kept_reports_by_name ON kept_reports (app, name, generation)",
            "CREATE INDEX kept_reports_by_age ON kept_reports (kept_since)",
            states("phase", of: word, where: "1 = 1"),
            states("failure", of: "r.phase_reason", where: "r.phase = 'notStarted'"),
            states("death", of: "r.phase_reason", where: "r.phase = 'dead' AND r.phase_reason <> 'unlisted'"),
            """
            INSERT INTO kept_counts (app, activity, width, second, counter, detail, value)
            SELECT a.app, e.activity, 0, 0, 'showing', CAST(e.version AS \(text)), COUNT(*)
            FROM echoes e JOIN activities a ON a.id = e.activity GROUP BY a.app, e.activity, e.version
            """,
        ]
    }

    /// The phase of a replica in one word. Members of the ring may have ended by the credit of their page.
    private static let word = """
        CASE WHEN r.joined > 0 AND r.joined <= p.settled AND p.is_end = 1 THEN 'ended'
        WHEN r.phase = 'waitingForToken' AND r.following = 1 THEN 'followingChannel'
        WHEN r.phase = 'waitingForToken' AND r.starts_at IS NOT NULL THEN 'waitingForAllow'
        WHEN r.phase = 'dead' AND r.phase_reason = 'unlisted' THEN 'unlisted'
        WHEN r.phase = 'dead' AND r.quarantined = 1 THEN 'quarantined'
        ELSE r.phase END
        """

    /// Counts the replicas that there are.
    private static func states(_ counter: String, of detail: String, where condition: String) -> String {
        """
        INSERT INTO kept_counts (app, activity, width, second, counter, detail, value)
        SELECT a.app, r.activity, 0, 0, '\(counter)', \(detail), COUNT(*)
        FROM replicas r JOIN activities a ON a.id = r.activity
        LEFT JOIN ring_pages p ON p.activity = r.activity AND p.number = (r.ordinal - 1) / \(RingPage.capacity)
        WHERE \(condition) GROUP BY a.app, r.activity, \(detail)
        """
    }
}
