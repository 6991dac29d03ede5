/// A step of the history: the nodes that share the pushing, and what else they share: counts of limits, the number of
/// the last change of keys, and provider tokens; and what each writer adds to the numbers and the quotas of apps.
enum NodeTables {
    static let migration = Schema.Migration(name: "nodes", worksSince: 17) { dialect in
        let (integer, text) = (dialect.integer, dialect.text)
        return [
            "ALTER TABLE node_leases ADD COLUMN doubts_until \(integer)",
            """
            CREATE TABLE nodes (
                id \(text) NOT NULL PRIMARY KEY,
                name \(text) NOT NULL,
                version \(text) NOT NULL,
                started_at \(integer) NOT NULL,
                beats \(integer) NOT NULL,
                seen_at \(integer) NOT NULL,
                is_drained \(integer) NOT NULL,
                is_clock_apart \(integer) NOT NULL
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
            """
            CREATE TABLE shared_tokens (
                fingerprint \(text) NOT NULL PRIMARY KEY,
                issued_at \(integer) NOT NULL,
                master_key_id \(text) NOT NULL,
                sealed_token \(dialect.blob) NOT NULL
            ) \(dialect.rows)
            """,
            """
            CREATE TABLE count_parts (
                app \(integer) NOT NULL,
                activity \(integer) NOT NULL,
                width \(integer) NOT NULL,
                second \(integer) NOT NULL,
                counter \(text) NOT NULL,
                detail \(text) NOT NULL,
                writer \(text) NOT NULL,
                value \(integer) NOT NULL,
                PRIMARY KEY (app, activity, width, second, counter, detail, writer)
            ) \(dialect.clusteredRows)
            """,
            """
            CREATE TABLE app_usage_parts (
                app \(integer) NOT NULL REFERENCES apps (id),
                writer \(text) NOT NULL,
                devices \(integer) NOT NULL,
                opened_names \(integer) NOT NULL,
                refused_names \(integer) NOT NULL,
                PRIMARY KEY (app, writer)
            ) \(dialect.rows)
            """,
            "CREATE INDEX shared_tokens_by_age ON shared_tokens (issued_at)",
            "CREATE INDEX limited_sources_full ON limited_sources (full_at)",
        ]
    }
}
