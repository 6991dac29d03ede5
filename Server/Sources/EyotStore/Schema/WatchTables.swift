import EyotDomain

/// A step of the history: activities with metrics of their own.
enum WatchTables {
    static let migration = Schema.Migration(name: "watched activities") { dialect in
        [
            """
            CREATE TABLE watched_activities (
                app \(dialect.integer) NOT NULL,
                name \(dialect.text) NOT NULL,
                PRIMARY KEY (app, name)
            ) \(dialect.clusteredRows)
            """
        ]
    }
}
