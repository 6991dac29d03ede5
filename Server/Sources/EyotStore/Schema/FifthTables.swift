/// The fifth step of the history: the backend's own names of tags and attributes, and quotas for what phones store.
enum FifthTables {
    static let migration = Schema.Migration(name: "backends' names, quotas") { dialect in
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
            "ALTER TABLE apps ADD COLUMN proof_terms \(text) NOT NULL DEFAULT '{}'",
            """
            CREATE TABLE used_proofs (
                app \(integer) NOT NULL,
                hash \(dialect.blob) NOT NULL,
                device \(integer) NOT NULL,
                until \(integer) NOT NULL,
                PRIMARY KEY (app, hash)
            ) \(dialect.clusteredRows)
            """,
            "CREATE INDEX used_proofs_by_end ON used_proofs (until)",
            """
            CREATE TABLE access_log (
                app \(integer) NOT NULL,
                number \(dialect.rising) NOT NULL,
                made_at \(integer) NOT NULL,
                key_id \(integer) NOT NULL,
                key_hint \(text) NOT NULL,
                method \(text) NOT NULL,
                route \(text) NOT NULL,
                subject \(text) NOT NULL,
                status \(integer) NOT NULL,
                address \(text),
                kind \(text) NOT NULL CHECK (kind IN ('read', 'refusal')),
                repeated \(integer) NOT NULL,
                PRIMARY KEY (app, number)
            ) \(dialect.clusteredRows)
            """,
            "CREATE INDEX access_log_by_time ON access_log (made_at)",
            "ALTER TABLE api_keys ADD COLUMN addresses \(text)",
            "ALTER TABLE api_keys ADD COLUMN environment \(text)",
        ] + quotas(dialect)
    }

    private static func quotas(_ dialect: SQLDialect) -> [String] {
        let (integer, text) = (dialect.integer, dialect.text)
        return [
            """
            CREATE TABLE app_usage (
                app \(integer) NOT NULL PRIMARY KEY REFERENCES apps (id),
                devices \(integer) NOT NULL,
                opened_names \(integer) NOT NULL,
                refused_names \(integer) NOT NULL
            ) \(dialect.rows)
            """,
            """
            INSERT INTO app_usage (app, devices, opened_names, refused_names)
            SELECT a.id, (SELECT COUNT(*) FROM devices d WHERE d.app = a.id),
                (SELECT COUNT(*) FROM activities x WHERE x.app = a.id AND x.version = 0), 0
            FROM apps a
            """,
            "CREATE INDEX activities_opened ON activities (id) WHERE version = 0",
            """
            CREATE TABLE former_app_keys (
                public_key \(text) NOT NULL PRIMARY KEY,
                app \(integer) NOT NULL REFERENCES apps (id),
                until \(integer) NOT NULL
            ) \(dialect.rows)
            """,
            "CREATE INDEX former_app_keys_by_app ON former_app_keys (app, until, public_key)",
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
