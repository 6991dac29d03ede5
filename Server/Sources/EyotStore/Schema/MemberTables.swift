import EyotDomain

/// A step of the history: members of the panel, with their grants, links and sessions.
enum MemberTables {
    static let migration = Schema.Migration(name: "members of the panel") { dialect in
        members(dialect) + sessions(dialect)
    }

    private static func members(_ dialect: SQLDialect) -> [String] {
        let (integer, text, blob) = (dialect.integer, dialect.text, dialect.blob)
        return [
            """
            CREATE TABLE panel_members (
                id \(dialect.identity),
                created_at \(integer) NOT NULL,
                name \(text) NOT NULL UNIQUE,
                password \(text),
                master_key_id \(text),
                sealed_totp \(blob),
                last_step \(integer),
                issuer \(text),
                subject \(text),
                disabled_at \(integer),
                CHECK ((master_key_id IS NULL) = (sealed_totp IS NULL) AND (sealed_totp IS NULL) = (last_step IS NULL)),
                CHECK ((issuer IS NULL) = (subject IS NULL))
            ) \(dialect.rows)
            """,
            """
            CREATE UNIQUE INDEX panel_members_by_account ON panel_members (issuer, subject) WHERE subject IS NOT NULL
            """,
            """
            CREATE TABLE member_grants (
                key \(integer) NOT NULL PRIMARY KEY,
                member \(integer) NOT NULL REFERENCES panel_members (id),
                app \(integer) REFERENCES apps (id),
                role \(text) NOT NULL,
                production \(integer) NOT NULL CHECK (production IN (0, 1)),
                granted_at \(integer) NOT NULL,
                CHECK ((role = 'owner') = (app IS NULL))
            ) \(dialect.rows)
            """,
            "CREATE UNIQUE INDEX member_grants_of_apps ON member_grants (member, app) WHERE app IS NOT NULL",
            "CREATE UNIQUE INDEX member_grants_of_owners ON member_grants (member) WHERE app IS NULL",
            "CREATE INDEX member_grants_by_member ON member_grants (member, key)",
            "CREATE INDEX member_grants_by_app ON member_grants (app, key)",
        ]
    }

    private static func sessions(_ dialect: SQLDialect) -> [String] {
        let (integer, text, blob) = (dialect.integer, dialect.text, dialect.blob)
        return [
            """
            CREATE TABLE member_links (
                member \(integer) NOT NULL PRIMARY KEY REFERENCES panel_members (id),
                hash \(blob) NOT NULL UNIQUE,
                purpose \(text) NOT NULL,
                created_at \(integer) NOT NULL,
                expires_at \(integer) NOT NULL
            ) \(dialect.rows)
            """,
            """
            CREATE TABLE member_sessions (
                id \(dialect.identity),
                member \(integer) NOT NULL REFERENCES panel_members (id),
                hash \(blob) NOT NULL UNIQUE,
                created_at \(integer) NOT NULL,
                method \(text) NOT NULL,
                address \(text),
                browser \(text),
                used_at \(integer) NOT NULL,
                ends_at \(integer) NOT NULL
            ) \(dialect.rows)
            """,
            "CREATE INDEX member_links_by_end ON member_links (expires_at)",
            "CREATE INDEX member_sessions_by_member ON member_sessions (member, id)",
            "CREATE INDEX member_sessions_by_end ON member_sessions (ends_at, id)",
        ]
    }
}
