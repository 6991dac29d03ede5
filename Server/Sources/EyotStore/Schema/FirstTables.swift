/// The first step of the history. Its text never changes again. The domain explains the words.
enum FirstTables {
    static let migration = Schema.Migration(name: "first tables") { dialect in
        apps(dialect) + devices(dialect) + startTokens(dialect) + activities(dialect) + operations(dialect)
            + replicas(dialect) + ring(dialect) + answers(dialect) + channels(dialect)
            + arrivals(dialect) + memberLists(dialect) + nodes(dialect) + schemas(dialect)
            + insider(dialect) + identities(dialect) + definitions(dialect) + live(dialect) + audit(dialect)
            + joining(dialect)
    }

    private static func apps(_ dialect: SQLDialect) -> [String] {
        let (integer, text, blob) = (dialect.integer, dialect.text, dialect.blob)
        return [
            """
            CREATE TABLE apps (
                id \(dialect.identity),
                created_at \(integer) NOT NULL,
                bundle_id \(text) NOT NULL UNIQUE,
                name \(text) NOT NULL,
                public_key \(text) NOT NULL UNIQUE,
                sandbox_pause_reason \(text),
                sandbox_pause_since \(integer),
                production_pause_reason \(text),
                production_pause_since \(integer),
                halted_at \(integer),
                halted_types \(text) NOT NULL,
                identity_mode \(text) CHECK \(anyOf("identity_mode", "off", "report", "require")),
                opens_activities \(integer) NOT NULL CHECK (opens_activities IN (0, 1)),
                CHECK ((sandbox_pause_reason IS NULL) = (sandbox_pause_since IS NULL)),
                CHECK ((production_pause_reason IS NULL) = (production_pause_since IS NULL))
            ) \(dialect.rows)
            """,
            """
            CREATE TABLE apns_keys (
                app \(integer) NOT NULL REFERENCES apps (id),
                environment \(text) NOT NULL CHECK (environment IN ('sandbox', 'production')),
                team_id \(text) NOT NULL,
                key_id \(text) NOT NULL,
                master_key_id \(text) NOT NULL,
                sealed_key \(blob) NOT NULL,
                added_at \(integer) NOT NULL,
                PRIMARY KEY (app, environment)
            ) \(dialect.clusteredRows)
            """,
            """
            CREATE TABLE api_keys (
                id \(dialect.identity),
                app \(integer) REFERENCES apps (id),
                hash \(blob) NOT NULL UNIQUE,
                hint \(text) NOT NULL,
                created_at \(integer) NOT NULL,
                plane \(text) NOT NULL,
                identifier \(text),
                public_key \(text),
                name \(text) NOT NULL,
                revoked_at \(integer),
                scopes \(text),
                expires_at \(integer),
                last_used_at \(integer)
            ) \(dialect.rows)
            """,
            """
            CREATE TABLE type_profiles (
                app \(integer) NOT NULL REFERENCES apps (id),
                type \(text) NOT NULL,
                spacing \(integer) NOT NULL,
                sparing_spacing \(integer),
                starts_per_hour \(integer) NOT NULL,
                PRIMARY KEY (app, type)
            ) \(dialect.clusteredRows)
            """,
            "CREATE INDEX api_keys_by_app ON api_keys (app)",
            "CREATE INDEX api_keys_by_plane ON api_keys (plane, id)",
            "CREATE INDEX api_keys_of_clients ON api_keys (plane, identifier, id) WHERE public_key IS NOT NULL",
        ]
    }

    private static func devices(_ dialect: SQLDialect) -> [String] {
        let (integer, text, blob) = (dialect.integer, dialect.text, dialect.blob)
        return [
            """
            CREATE TABLE devices (
                id \(dialect.identity),
                app \(integer) NOT NULL REFERENCES apps (id),
                installation \(text) NOT NULL,
                created_at \(integer) NOT NULL,
                environment \(text) NOT NULL CHECK (environment IN ('sandbox', 'production')),
                os_major \(integer) NOT NULL,
                os_minor \(integer) NOT NULL,
                app_version \(text) NOT NULL,
                app_version_order \(text) NOT NULL,
                activities_enabled \(integer) NOT NULL CHECK (activities_enabled IN (0, 1)),
                frequent_pushes_enabled \(integer) NOT NULL CHECK (frequent_pushes_enabled IN (0, 1)),
                external_id \(text),
                language \(text),
                epoch \(integer) NOT NULL,
                sequence \(integer) NOT NULL,
                seen_at \(integer) NOT NULL,
                forgotten \(integer) NOT NULL CHECK (forgotten IN (0, 1)),
                proven \(integer) NOT NULL CHECK (proven IN (0, 1)),
                imported \(integer) NOT NULL CHECK (imported IN (0, 1)),
                secret_hash \(blob) UNIQUE,
                UNIQUE (app, installation),
                UNIQUE (app, id)
            ) \(dialect.rows)
            """,
            "CREATE INDEX devices_by_user ON devices (app, external_id, id) WHERE external_id IS NOT NULL",
        ] + people(dialect)
    }

    private static func startTokens(_ dialect: SQLDialect) -> [String] {
        let (integer, text, blob) = (dialect.integer, dialect.text, dialect.blob)
        return [
            """
            CREATE TABLE start_tokens (
                device \(integer) NOT NULL,
                type \(text) NOT NULL,
                token \(blob) NOT NULL,
                environment \(text) NOT NULL CHECK (environment IN ('sandbox', 'production')),
                set_at \(integer) NOT NULL,
                death_reason \(text),
                quarantined \(integer) NOT NULL CHECK (quarantined IN (0, 1)),
                app \(integer) NOT NULL,
                PRIMARY KEY (device, type),
                UNIQUE (app, token, type),
                FOREIGN KEY (app, device) REFERENCES devices (app, id),
                CHECK (quarantined = 0 OR death_reason IS NOT NULL)
            ) \(dialect.clusteredRows)
            """,
            "CREATE INDEX start_tokens_out_of_use ON start_tokens (app, device, type) WHERE death_reason IS NOT NULL",
            "CREATE INDEX start_tokens_in_quarantine ON start_tokens (app, device, type) WHERE quarantined = 1",
        ]
    }
}
