extension FirstTables {
    /// The audit. Entries of an app are numbered, so that the oldest are found without counting. The operator's own
    /// entries have the app 0.
    static func audit(_ dialect: SQLDialect) -> [String] {
        let (integer, text) = (dialect.integer, dialect.text)
        return [
            """
            CREATE TABLE audit (
                app \(integer) NOT NULL,
                number \(dialect.rising) NOT NULL,
                made_at \(integer) NOT NULL,
                key_id \(integer) NOT NULL,
                key_hint \(text) NOT NULL,
                method \(text) NOT NULL,
                route \(text) NOT NULL,
                subject \(text) NOT NULL,
                status \(integer) NOT NULL,
                address \(text),
                PRIMARY KEY (app, number)
            ) \(dialect.clusteredRows)
            """,
            "CREATE INDEX audit_by_time ON audit (made_at)",
        ]
    }
}
