/// A step of the history: the cards of which Apple has accepted an update, by page.
enum UpdateTables {
    static let migration = Schema.Migration(name: "updated cards") { dialect in
        [
            """
            CREATE TABLE updated_cards (
                activity \(dialect.integer) NOT NULL,
                page \(dialect.integer) NOT NULL,
                slots \(dialect.blob) NOT NULL,
                PRIMARY KEY (activity, page)
            ) \(dialect.clusteredRows)
            """
        ]
    }
}
