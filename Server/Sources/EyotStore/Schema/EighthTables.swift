/// The eighth step of the history: events.
enum EighthTables {
    static let migration = Schema.Migration(name: "events") { dialect in
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
        ]
    }
}
