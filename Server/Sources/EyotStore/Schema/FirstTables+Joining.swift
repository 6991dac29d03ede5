extension FirstTables {
    /// The secrets that let phones join private activities, at most one for each activity.
    static func joining(_ dialect: SQLDialect) -> [String] {
        let (integer, text) = (dialect.integer, dialect.text)
        return [
            """
            CREATE TABLE join_secrets (
                activity \(integer) NOT NULL PRIMARY KEY REFERENCES activities (id),
                hash \(dialect.blob) NOT NULL,
                hint \(text) NOT NULL,
                made_at \(integer) NOT NULL
            ) \(dialect.rows)
            """
        ]
    }
}
