/// A step of the history: the nodes that share the pushing, and the counts that they share.
enum NodeTables {
    static let migration = Schema.Migration(name: "nodes", worksSince: 17) { dialect in
        let (integer, text) = (dialect.integer, dialect.text)
        return [
            """
            CREATE TABLE nodes (
                id \(text) NOT NULL PRIMARY KEY,
                name \(text) NOT NULL,
                version \(text) NOT NULL,
                started_at \(integer) NOT NULL,
                beats \(integer) NOT NULL,
                seen_at \(integer) NOT NULL,
                is_drained \(integer) NOT NULL
            ) \(dialect.rows)
            """,
            """
            CREATE TABLE limited_sources (
                limit_name \(text) NOT NULL,
                source \(text) NOT NULL,
                full_at \(integer) NOT NULL,
                PRIMARY KEY (limit_name, source)
            ) \(dialect.rows)
            """,
            """
            CREATE TABLE access_changes (
                only_row \(integer) NOT NULL PRIMARY KEY,
                number \(integer) NOT NULL
            ) \(dialect.rows)
            """,
            "CREATE INDEX limited_sources_full ON limited_sources (full_at)",
        ]
    }
}
