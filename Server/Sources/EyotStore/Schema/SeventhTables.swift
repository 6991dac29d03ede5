/// The seventh step of the history: the version of an activity's first end, so that a further end can have a scope, and
/// records that any vendor may use.
enum SeventhTables {
    static let migration = Schema.Migration(name: "further ends with a scope, vendors' records") { dialect in
        let (integer, text) = (dialect.integer, dialect.text)
        return [
            "ALTER TABLE activities ADD COLUMN first_end \(integer)",
            "UPDATE activities SET first_end = end_version WHERE end_replaced_at IS NOT NULL",
            "ALTER TABLE activities DROP COLUMN end_replaced_at",
            """
            CREATE TABLE vendor_records (
                app \(integer) NOT NULL REFERENCES apps (id),
                vendor \(text) NOT NULL,
                id \(text) NOT NULL,
                users \(text) NOT NULL,
                content \(text) NOT NULL,
                ends_at \(integer) NOT NULL,
                PRIMARY KEY (app, vendor, id)
            ) \(dialect.rows)
            """,
            "CREATE INDEX vendor_records_by_end ON vendor_records (vendor, ends_at)",
            // A type and a state are names without quotes.
            """
            INSERT INTO vendor_records SELECT app, 'insider', id, users, \
            '{"type":"' || type || '","state":"' || state || '","endedGeneration":' || ended_generation || '}', ends_at \
            FROM insider_activities
            """,
            "DROP TABLE insider_activities",
        ]
    }
}
