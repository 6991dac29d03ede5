/// The sixth step of the history: removal of apps, and columns renamed to the program's words.
enum SixthTables {
    static let migration = Schema.Migration(name: "removal of apps") { dialect in
        [
            "ALTER TABLE apps ADD COLUMN removed_at \(dialect.integer)",
            "DROP TABLE types_without_schema",
            "CREATE INDEX operations_by_app ON operations (app, id)",
            "ALTER TABLE operations RENAME COLUMN untold TO pending",
            "ALTER TABLE activities RENAME COLUMN untold_scopes TO pending_scopes",
            "ALTER TABLE member_lists RENAME COLUMN told TO processed",
        ]
    }
}
