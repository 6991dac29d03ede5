extension FirstTables {
    /// The log of tokens that were answered and are not set yet. It grows at its end: its rows refer to nothing, since looking
    /// that up in no order is what the log is there to avoid.
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
            // Grows at its end, too, part by part: an index by device alone would change a page of it with each row.
            "CREATE INDEX arrivals_by_device ON arrivals (part, device, id)",
            // Grows at the end of each app's part.
            "CREATE INDEX arrivals_by_app ON arrivals (app, id)",
        ]
    }
}
