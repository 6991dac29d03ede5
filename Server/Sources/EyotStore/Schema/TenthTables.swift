/// A step of the history: what Apple accepted, by page.
enum TenthTables {
    static let migration = Schema.Migration(name: "acceptances") { dialect in
        let (integer, text) = (dialect.integer, dialect.text)
        return [
            """
            CREATE TABLE acceptances (
                id \(dialect.identity),
                activity \(integer) NOT NULL,
                page \(integer) NOT NULL,
                at \(integer) NOT NULL,
                event \(text) NOT NULL,
                version \(integer) NOT NULL,
                alert \(integer) NOT NULL,
                slots \(dialect.blob) NOT NULL
            ) \(dialect.rows)
            """,
            "CREATE INDEX operations_of_version ON operations (activity, version, id) WHERE outcome = 'applied'",
            "CREATE INDEX acceptances_of_page ON acceptances (activity, page, id)",
        ]
    }
}
