extension FirstTables {
    static func definitions(_ dialect: SQLDialect) -> [String] {
        let (integer, text) = (dialect.integer, dialect.text)
        return [
            """
            CREATE TABLE definitions (
                app \(integer) NOT NULL REFERENCES apps (id),
                name \(text) NOT NULL,
                json \(text) NOT NULL,
                changed_at \(integer) NOT NULL,
                used_at \(integer),
                ends_at \(integer),
                PRIMARY KEY (app, name)
            ) \(dialect.rows)
            """,
            "CREATE INDEX definitions_by_use ON definitions (app, used_at, name) WHERE used_at IS NOT NULL",
            // No reference, because the device may be gone. The name then reaches no device.
            """
            CREATE TABLE test_devices (
                app \(integer) NOT NULL REFERENCES apps (id),
                name \(text) NOT NULL,
                device \(integer),
                external_id \(text),
                PRIMARY KEY (app, name),
                CHECK ((device IS NULL) != (external_id IS NULL))
            ) \(dialect.clusteredRows)
            """,
        ]
    }
}
