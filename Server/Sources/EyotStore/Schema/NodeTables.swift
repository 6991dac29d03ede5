/// A step of the history: the nodes that share the pushing.
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
            """
        ]
    }
}
