/// The fifth step of the history: the names of tags and attributes that are the backend's own.
enum FifthTables {
    static let migration = Schema.Migration(name: "backends' names") { dialect in
        let (integer, text) = (dialect.integer, dialect.text)
        return [
            """
            CREATE TABLE backend_names (
                app \(integer) NOT NULL REFERENCES apps (id),
                kind \(text) NOT NULL CHECK (kind IN ('tag', 'attribute')),
                name \(text) NOT NULL,
                was_phones \(integer) NOT NULL,
                PRIMARY KEY (app, kind, name)
            ) \(dialect.clusteredRows)
            """,
            "ALTER TABLE attribute_values ADD COLUMN by_backend \(integer) NOT NULL DEFAULT 0",
            "UPDATE attribute_values SET by_backend = 1 WHERE owner = 'user'",
            """
            UPDATE attribute_values SET by_backend = 1 WHERE owner = 'device' AND EXISTS (
                SELECT 1 FROM device_attributes b, json_each(b.attributes) j
                WHERE b.device = attribute_values.device AND b.source = 'backend' AND j.key = attribute_values.name
            )
            """,
            names(
                "tag",
                of: """
                    SELECT app, tag AS name FROM user_tags WHERE tag_group = ''
                    UNION SELECT app, tag FROM device_own_tags WHERE source = 'backend' AND tag_group = ''
                    """,
                saidByPhones: "SELECT app, tag FROM device_own_tags WHERE source = 'app' AND tag_group = ''"),
            names(
                "attribute",
                of: """
                    SELECT u.app, j.key AS name FROM users u, json_each(u.attributes) j
                    UNION SELECT d.app, j.key FROM device_attributes d, json_each(d.attributes) j WHERE d.source = 'backend'
                    """,
                saidByPhones: """
                    SELECT d.app, j.key FROM device_attributes d, json_each(d.attributes) j WHERE d.source = 'app'
                    """),
            "ALTER TABLE apps ADD COLUMN open_names \(text) NOT NULL DEFAULT '{}'",
        ]
    }

    private static func names(_ kind: String, of backends: String, saidByPhones phones: String) -> String {
        """
        INSERT INTO backend_names (app, kind, name, was_phones)
        SELECT n.app, '\(kind)', n.name, CASE WHEN (n.app, n.name) IN (\(phones)) THEN 1 ELSE 0 END
        FROM (\(backends)) n
        """
    }
}
