extension FirstTables {
    static func channels(_ dialect: SQLDialect) -> [String] {
        let (integer, text) = (dialect.integer, dialect.text)
        return [
            // No reference to the activity, because it may be removed before its channel has rested.
            """
            CREATE TABLE channels (
                id \(dialect.identity),
                app \(integer) NOT NULL REFERENCES apps (id),
                environment \(text) NOT NULL CHECK (environment IN ('sandbox', 'production')),
                activity \(integer) NOT NULL,
                phase \(text) NOT NULL CHECK \(anyOf("phase", "wanted", "leased", "resting", "lost", "deleting")),
                apple_id \(text),
                reason \(text),
                wanted_at \(integer) NOT NULL,
                accepted \(integer) NOT NULL,
                alerted \(integer) NOT NULL,
                last_second \(integer) NOT NULL,
                started_at \(integer),
                started_with \(integer) NOT NULL,
                repeat_at \(integer),
                ends \(integer) NOT NULL,
                last_end_at \(integer),
                failures \(integer) NOT NULL,
                free_at \(integer),
                due_at \(integer),
                CHECK (phase NOT IN ('leased', 'resting') OR apple_id IS NOT NULL),
                CHECK ((phase = 'resting') = (free_at IS NOT NULL))
            ) \(dialect.rows)
            """,
            // One channel for each activity in each environment. A resting channel may be another activity's next.
            """
            CREATE UNIQUE INDEX channels_by_activity ON channels (activity, environment) \
            WHERE phase IN ('wanted', 'leased', 'lost')
            """,
            "CREATE UNIQUE INDEX channels_by_apple_id ON channels (app, environment, apple_id) WHERE apple_id IS NOT NULL",
            "CREATE INDEX channels_of_activity ON channels (activity, environment, id)",
            "CREATE INDEX channels_by_app ON channels (app, id)",
            "CREATE INDEX channels_by_phase ON channels (app, environment, phase, free_at, id)",
            // One index for each kind of errand, so that a query for one kind does not read rows of the other.
            """
            CREATE INDEX channels_with_due_broadcast ON channels (app, environment, due_at, id) \
            WHERE phase = 'leased' AND due_at IS NOT NULL
            """,
            """
            CREATE INDEX channels_with_due_upkeep ON channels (app, environment, due_at, id) \
            WHERE phase <> 'leased' AND due_at IS NOT NULL
            """,
        ]
    }
}
