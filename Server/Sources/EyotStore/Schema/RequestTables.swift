import EyotDomain

/// A step of the history: the ids of requests, in operations and in events of refused calls.
enum RequestTables {
    static let migration = Schema.Migration(name: "ids of requests", worksSince: 17) { dialect in
        ["operations", "events"].flatMap { table in
            ["request", "callers_request"].flatMap { column in
                [
                    "ALTER TABLE \(table) ADD COLUMN \(column) \(dialect.text)",
                    "CREATE INDEX \(table)_by_\(column) ON \(table) (app, \(column)) WHERE \(column) IS NOT NULL",
                ]
            }
        } + ["ALTER TABLE events ADD COLUMN refused_call \(dialect.text)"]
    }
}
