import EyotDomain

/// A step of the history: the numbers of an activity in a span of time as one row, and one index of operations instead
/// of two.
enum SpanTables {
    static let migration = Schema.Migration(name: "spans of numbers", worksSince: 17) { dialect in
        let (integer, text) = (dialect.integer, dialect.text)
        return [
            // Rows in the order of their arrival: a row is written again soon after it was made, and those that are
            // made together lie together. In the order of its key each would be on a page of its own.
            """
            CREATE TABLE kept_spans (
                id \(dialect.identity),
                app \(integer) NOT NULL,
                activity \(integer) NOT NULL,
                width \(integer) NOT NULL CHECK (width > 0),
                second \(integer) NOT NULL,
                numbers \(text) NOT NULL,
                UNIQUE (app, activity, width, second)
            ) \(dialect.rows)
            """,
            "CREATE INDEX kept_spans_by_age ON kept_spans (width, second)",
            // A declaration and its operation have the same moment, so this index leads from one to the other. Its end
            // is written for each operation; the index of versions had a page for each activity.
            "CREATE INDEX operations_by_moment ON operations (accepted_at, id)",
            "DROP INDEX operations_by_age",
            "DROP INDEX operations_of_version",
        ]
    }
}
