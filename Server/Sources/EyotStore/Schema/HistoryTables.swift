import EyotDomain

/// A step of the history of the schema: the histories of the database (R17).
enum HistoryTables {
    static let migration = Schema.Migration(name: "histories", worksSince: 17) { dialect in
        [
            """
            CREATE TABLE histories (
                number \(dialect.identity),
                id \(dialect.text) NOT NULL UNIQUE,
                began_at \(dialect.integer) NOT NULL,
                cause \(dialect.text) NOT NULL
            ) \(dialect.rows)
            """
        ]
    }
}
