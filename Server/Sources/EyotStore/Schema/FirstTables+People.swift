extension FirstTables {
    /// Users, and the traits of users and devices. A tag without a group has the empty one.
    static func people(_ dialect: SQLDialect) -> [String] {
        let (integer, text) = (dialect.integer, dialect.text)
        return [
            """
            CREATE TABLE users (
                app \(integer) NOT NULL REFERENCES apps (id),
                external_id \(text) NOT NULL,
                attributes \(text) NOT NULL,
                PRIMARY KEY (app, external_id)
            ) \(dialect.clusteredRows)
            """,
            """
            CREATE TABLE user_tags (
                app \(integer) NOT NULL,
                external_id \(text) NOT NULL,
                tag_group \(text) NOT NULL,
                tag \(text) NOT NULL,
                PRIMARY KEY (app, external_id, tag_group, tag),
                FOREIGN KEY (app, external_id) REFERENCES users (app, external_id)
            ) \(dialect.clusteredRows)
            """,
            """
            CREATE TABLE user_aliases (
                app \(integer) NOT NULL,
                label \(text) NOT NULL,
                name \(text) NOT NULL,
                external_id \(text) NOT NULL,
                PRIMARY KEY (app, external_id, label),
                UNIQUE (app, label, name),
                FOREIGN KEY (app, external_id) REFERENCES users (app, external_id)
            ) \(dialect.clusteredRows)
            """,
            """
            CREATE TABLE segments (
                app \(integer) NOT NULL REFERENCES apps (id),
                name \(text) NOT NULL,
                audience \(text) NOT NULL,
                updated_at \(integer) NOT NULL,
                PRIMARY KEY (app, name)
            ) \(dialect.clusteredRows)
            """,
        ] + traits(dialect)
    }

    /// The traits that apps and backends give to devices, and the tables that audiences search. The latter also hold
    /// the traits of the devices' users.
    private static func traits(_ dialect: SQLDialect) -> [String] {
        let (integer, text) = (dialect.integer, dialect.text)
        return [
            """
            CREATE TABLE device_own_tags (
                device \(integer) NOT NULL,
                source \(text) NOT NULL CHECK (source IN ('app', 'backend')),
                tag_group \(text) NOT NULL,
                tag \(text) NOT NULL,
                app \(integer) NOT NULL,
                PRIMARY KEY (device, source, tag_group, tag),
                FOREIGN KEY (app, device) REFERENCES devices (app, id)
            ) \(dialect.clusteredRows)
            """,
            """
            CREATE TABLE device_attributes (
                device \(integer) NOT NULL,
                source \(text) NOT NULL CHECK (source IN ('app', 'backend')),
                app \(integer) NOT NULL,
                attributes \(text) NOT NULL,
                PRIMARY KEY (device, source),
                FOREIGN KEY (app, device) REFERENCES devices (app, id)
            ) \(dialect.clusteredRows)
            """,
            """
            CREATE TABLE device_tags (
                app \(integer) NOT NULL,
                tag \(text) NOT NULL,
                tag_group \(text) NOT NULL,
                device \(integer) NOT NULL,
                PRIMARY KEY (app, tag, tag_group, device),
                FOREIGN KEY (app, device) REFERENCES devices (app, id)
            ) \(dialect.clusteredRows)
            """,
            "CREATE INDEX device_tags_by_device ON device_tags (device)",
            """
            CREATE TABLE attribute_values (
                device \(integer) NOT NULL,
                name \(text) NOT NULL,
                kind \(text) NOT NULL,
                value \(text) NOT NULL,
                owner \(text) NOT NULL CHECK (owner IN ('user', 'device')),
                app \(integer) NOT NULL,
                PRIMARY KEY (device, name, kind, value, owner),
                FOREIGN KEY (app, device) REFERENCES devices (app, id)
            ) \(dialect.clusteredRows)
            """,
            "CREATE INDEX attribute_values_by_value ON attribute_values (app, name, kind, value, device, owner)",
        ]
    }
}
