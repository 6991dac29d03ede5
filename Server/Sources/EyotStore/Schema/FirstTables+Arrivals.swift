extension FirstTables {
    /// The log of tokens that were answered and are not set yet. It grows at its end. Its rows have no references,
    /// because checking them would look up rows in no order. The log exists to avoid that.
    static func arrivals(_ dialect: SQLDialect) -> [String] {
        let (integer, text, blob) = (dialect.integer, dialect.text, dialect.blob)
        return [
            """
            CREATE TABLE arrivals (
                id \(dialect.identity),
                app \(integer) NOT NULL,
                device \(integer) NOT NULL,
                epoch \(integer) NOT NULL,
                sequence \(integer) NOT NULL,
                activity \(integer) NOT NULL,
                ordinal \(integer) NOT NULL,
                instance \(text) NOT NULL,
                token \(blob) NOT NULL,
                token_environment \(text) NOT NULL CHECK (token_environment IN ('sandbox', 'production')),
                answered_at \(integer) NOT NULL,
                answer_second \(integer) NOT NULL,
                accepted \(integer) NOT NULL,
                last_second \(integer) NOT NULL,
                part \(integer) NOT NULL
            ) \(dialect.rows)
            """,
            // This index also grows at its end, part by part. An index by device alone would change one of its pages
            // with each row.
            "CREATE INDEX arrivals_by_device ON arrivals (part, device, id)",
            // This index grows at the end of each app's rows.
            "CREATE INDEX arrivals_by_app ON arrivals (app, id)",
        ]
    }
}
