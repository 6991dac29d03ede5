extension FirstTables {
    /// The member lists of requests, with the members that are still pending. The list of a start has the moment at
    /// which it leaves. The list of a scope's pending starts has the first ordinal that these starts can get. A chunk
    /// holds members up to its last one, and is removed when that one is processed.
    static func memberLists(_ dialect: SQLDialect) -> [String] {
        let (integer, blob) = (dialect.integer, dialect.blob)
        return [
            """
            CREATE TABLE member_lists (
                id \(dialect.identity),
                app \(integer) NOT NULL REFERENCES apps (id),
                activity \(integer) NOT NULL REFERENCES activities (id),
                version \(integer) NOT NULL,
                operation \(integer) NOT NULL,
                accepted_at \(integer) NOT NULL,
                starts_at \(integer),
                attributes_version \(integer) NOT NULL,
                alerted \(integer) NOT NULL,
                scoped \(integer) NOT NULL CHECK (scoped IN (0, 1)),
                forced \(integer) NOT NULL CHECK (forced IN (0, 1)),
                restarts_dismissed \(integer) NOT NULL CHECK (restarts_dismissed IN (0, 1)),
                as_of \(integer),
                first_ordinal \(integer) CHECK (first_ordinal IS NULL OR (first_ordinal > 0 AND starts_at IS NULL)),
                told \(integer) NOT NULL CHECK (told >= 0)
            ) \(dialect.rows)
            """,
            "CREATE INDEX member_lists_by_app ON member_lists (app)",
            "CREATE INDEX member_lists_by_activity ON member_lists (activity, id)",
            """
            CREATE TABLE member_chunks (
                list \(integer) NOT NULL REFERENCES member_lists (id),
                last \(integer) NOT NULL,
                members \(blob) NOT NULL,
                PRIMARY KEY (list, last)
            ) \(dialect.clusteredRows)
            """,
        ]
    }
}
