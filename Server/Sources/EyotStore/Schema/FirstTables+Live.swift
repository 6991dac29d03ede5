extension FirstTables {
    /// The live audiences, and the devices to look at for them. A device may be gone by then, so there is no reference.
    static func live(_ dialect: SQLDialect) -> [String] {
        let (integer, text) = (dialect.integer, dialect.text)
        return [
            """
            CREATE TABLE live_audiences (
                activity \(integer) NOT NULL REFERENCES activities (id),
                attributes_version \(integer) NOT NULL,
                app \(integer) NOT NULL REFERENCES apps (id),
                audience \(text) NOT NULL,
                most \(integer) NOT NULL,
                scoped \(integer) NOT NULL CHECK (scoped IN (0, 1)),
                alerted \(integer) NOT NULL,
                starts_at \(integer) NOT NULL,
                forced \(integer) NOT NULL CHECK (forced IN (0, 1)),
                restarts_dismissed \(integer) NOT NULL CHECK (restarts_dismissed IN (0, 1)),
                as_of \(integer),
                started \(integer) NOT NULL,
                looked \(integer),
                PRIMARY KEY (activity, attributes_version)
            ) \(dialect.rows)
            """,
            "CREATE INDEX live_audiences_by_app ON live_audiences (app, activity, attributes_version)",
            """
            CREATE INDEX live_audiences_to_look_at ON live_audiences (activity, attributes_version, looked) \
            WHERE looked IS NOT NULL
            """,
            """
            CREATE TABLE changed_devices (
                number \(dialect.identity),
                device \(integer) NOT NULL UNIQUE
            ) \(dialect.rows)
            """,
        ]
    }
}
