extension FirstTables {
    /// The identity keys and failed proofs. Failures of an app are numbered, so that the oldest are found without
    /// counting.
    static func identities(_ dialect: SQLDialect) -> [String] {
        let (integer, text) = (dialect.integer, dialect.text)
        return [
            """
            CREATE TABLE identity_keys (
                app \(integer) NOT NULL REFERENCES apps (id),
                id \(text) NOT NULL,
                kind \(text) NOT NULL CHECK (kind IN ('RS256', 'ES256')),
                pem \(text) NOT NULL,
                added_at \(integer) NOT NULL,
                PRIMARY KEY (app, id)
            ) \(dialect.clusteredRows)
            """,
            """
            CREATE TABLE identity_failures (
                app \(integer) NOT NULL REFERENCES apps (id),
                number \(dialect.rising) NOT NULL,
                device \(integer) NOT NULL,
                user_id \(text) NOT NULL,
                fault \(text) NOT NULL,
                refused \(integer) NOT NULL CHECK (refused IN (0, 1)),
                failed_at \(integer) NOT NULL,
                PRIMARY KEY (app, number)
            ) \(dialect.clusteredRows)
            """,
        ]
    }
}
