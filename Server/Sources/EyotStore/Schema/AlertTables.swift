import EyotDomain

/// A step of the history: the alerts of pages and broadcasts that are on their way (R4).
enum AlertTables {
    static let migration = Schema.Migration(name: "alerts on their way", worksSince: 17) { dialect in
        [
            """
            CREATE TABLE alert_marks (
                activity \(dialect.integer) NOT NULL,
                ordinal \(dialect.integer) NOT NULL,
                second \(dialect.integer) NOT NULL,
                runs \(dialect.blob) NOT NULL,
                PRIMARY KEY (activity, ordinal, second)
            ) \(dialect.clusteredRows)
            """,
            "ALTER TABLE channels ADD COLUMN alerting \(dialect.integer) NOT NULL DEFAULT 0",
        ]
    }
}
