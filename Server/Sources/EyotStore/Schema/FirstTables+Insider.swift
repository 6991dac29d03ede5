extension FirstTables {
    static func insider(_ dialect: SQLDialect) -> [String] {
        let (integer, text) = (dialect.integer, dialect.text)
        return [
            """
            CREATE TABLE insider_activities (
                app \(integer) NOT NULL REFERENCES apps (id),
                id \(text) NOT NULL,
                type \(text) NOT NULL,
                users \(text) NOT NULL,
                state \(text) NOT NULL,
                ends_at \(integer) NOT NULL,
                ended_generation \(integer) NOT NULL,
                PRIMARY KEY (app, id)
            ) \(dialect.rows)
            """,
            "CREATE INDEX insider_activities_by_end ON insider_activities (ends_at)",
        ]
    }
}
