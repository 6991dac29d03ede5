import EyotDomain

/// A step of the history: the aliases of users with their columns in the order of the key.
///
/// SQLite 3.40 claims NULL values in a `STRICT` table `WITHOUT ROWID` with a key in another order than its columns.
enum AliasTables {
    static let migration = Schema.Migration(name: "aliases in the order of their key", worksSince: 17) { dialect in
        guard dialect == .sqlite else { return [] }
        let (integer, text) = (dialect.integer, dialect.text)
        return [
            """
            CREATE TABLE ordered_aliases (
                app \(integer) NOT NULL,
                external_id \(text) NOT NULL,
                label \(text) NOT NULL,
                name \(text) NOT NULL,
                PRIMARY KEY (app, external_id, label),
                UNIQUE (app, label, name),
                FOREIGN KEY (app, external_id) REFERENCES users (app, external_id)
            ) \(dialect.clusteredRows)
            """,
            """
            INSERT INTO ordered_aliases (app, external_id, label, name)
            SELECT app, external_id, label, name FROM user_aliases
            """,
            "DROP TABLE user_aliases",
            "ALTER TABLE ordered_aliases RENAME TO user_aliases",
        ]
    }
}
