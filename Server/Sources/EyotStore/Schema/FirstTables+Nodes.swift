extension FirstTables {
    static func nodes(_ dialect: SQLDialect) -> [String] {
        let (integer, text) = (dialect.integer, dialect.text)
        return [
            """
            CREATE TABLE node_leases (
                shard \(integer) NOT NULL PRIMARY KEY,
                owner \(text),
                epoch \(integer) NOT NULL,
                renewed_at \(integer) NOT NULL,
                ends_at \(integer) NOT NULL
            ) \(dialect.rows)
            """
        ]
    }
}
