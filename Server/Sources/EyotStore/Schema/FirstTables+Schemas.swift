extension FirstTables {
    static func schemas(_ dialect: SQLDialect) -> [String] {
        let (integer, text, blob) = (dialect.integer, dialect.text, dialect.blob)
        return [
            """
            CREATE TABLE type_schemas (
                app \(integer) NOT NULL REFERENCES apps (id),
                type \(text) NOT NULL,
                build \(text) NOT NULL,
                json \(blob) NOT NULL,
                pushed_at \(integer) NOT NULL,
                PRIMARY KEY (app, type, build)
            ) \(dialect.rows)
            """,
            """
            CREATE TABLE types_without_schema (
                app \(integer) NOT NULL REFERENCES apps (id),
                type \(text) NOT NULL,
                PRIMARY KEY (app, type)
            ) \(dialect.clusteredRows)
            """,
            """
            CREATE TABLE activity_builds (
                activity \(integer) NOT NULL REFERENCES activities (id),
                build \(text) NOT NULL,
                PRIMARY KEY (activity, build)
            ) \(dialect.clusteredRows)
            """,
        ]
    }
}
