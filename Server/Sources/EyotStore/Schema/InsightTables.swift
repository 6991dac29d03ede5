import EyotDomain

/// A step of the history: kept numbers of types and of an app's devices, and watched activities.
enum InsightTables {
    static let migration = Schema.Migration(name: "insights") { dialect in
        let (integer, text) = (dialect.integer, dialect.text)
        return [
            """
            CREATE TABLE kept_types (
                app \(integer) NOT NULL,
                name \(text) NOT NULL,
                number \(integer) NOT NULL,
                PRIMARY KEY (app, name)
            ) \(dialect.clusteredRows)
            """,
            "CREATE INDEX kept_counts_of_insights ON kept_counts (width, second) WHERE activity <= 0",
            "ALTER TABLE echoes ADD COLUMN has_shown \(integer) NOT NULL DEFAULT 0 CHECK (has_shown IN (0, 1))",
            "UPDATE echoes SET has_shown = 1 WHERE version > 0",
        ] + levels.flatMap { level, condition in places(of: level, where: condition, dialect) }
    }

    private static let levels: [(level: AdoptionLevel, condition: String)] = [
        (.devices, "1 = 1"), (.activitiesOn, "d.activities_enabled = 1"), (.identified, "d.external_id IS NOT NULL"),
        (.startToken, "EXISTS (SELECT 1 FROM start_tokens t WHERE t.device = d.id AND t.death_reason IS NULL)"),
    ]

    /// Counts the devices that there are.
    private static func places(
        of level: AdoptionLevel, where condition: String, _ dialect: SQLDialect
    ) -> [String] {
        let details: [(CountDimension?, String)] = [
            (nil, "''"), (.os, "CAST(d.os_major AS \(dialect.text))"), (.build, "SUBSTR(d.app_version, 1, 40)"),
            (.language, "COALESCE(SUBSTR(d.language, 1, 40), 'unknown')"), (.environment, "d.environment"),
        ]
        return details.map { dimension, detail in
            let counter = dimension.map(KeptCounter.adoption(level).by) ?? .adoption(level)
            return """
                INSERT INTO kept_counts (app, activity, width, second, counter, detail, value)
                SELECT d.app, 0, 0, 0, '\(counter.name)', \(detail), COUNT(*)
                FROM devices d WHERE d.forgotten = 0 AND \(condition) GROUP BY d.app, \(detail)
                """
        }
    }
}
