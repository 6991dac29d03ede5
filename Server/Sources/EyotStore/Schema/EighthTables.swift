/// The eighth step of the history: events, and what phones report of their cards.
enum EighthTables {
    static let migration = Schema.Migration(name: "events and echoes") { dialect in
        let (integer, text) = (dialect.integer, dialect.text)
        return [
            """
            CREATE TABLE events (
                id \(dialect.identity),
                app \(integer) NOT NULL,
                at \(integer) NOT NULL,
                kind \(text) NOT NULL,
                version \(integer) NOT NULL,
                reason \(text),
                activity \(integer),
                ordinal \(integer),
                device \(integer)
            ) \(dialect.rows)
            """,
            "CREATE INDEX events_of_app ON events (app, id)",
            "CREATE INDEX events_of_device ON events (device, id) WHERE device IS NOT NULL",
            "CREATE INDEX events_of_activity ON events (activity, id) WHERE activity IS NOT NULL",
            """
            CREATE TABLE echoes (
                activity \(integer) NOT NULL,
                ordinal \(integer) NOT NULL,
                version \(integer) NOT NULL,
                at \(integer) NOT NULL,
                PRIMARY KEY (activity, ordinal),
                FOREIGN KEY (activity, ordinal) REFERENCES replicas (activity, ordinal)
            ) \(dialect.clusteredRows)
            """,
        ]
    }
}
