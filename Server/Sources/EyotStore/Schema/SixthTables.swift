/// The sixth step of the history: apps that are being removed, and their operations in a row; nobody is told once only that a type has no schema.
enum SixthTables {
    static let migration = Schema.Migration(name: "removal of apps") { dialect in
        [
            "ALTER TABLE apps ADD COLUMN removed_at \(dialect.integer)",
            "DROP TABLE types_without_schema",
            "CREATE INDEX operations_by_app ON operations (app, id)",
        ]
    }
}
