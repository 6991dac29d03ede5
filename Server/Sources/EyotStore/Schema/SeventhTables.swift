/// The seventh step of the history: the version of an activity's first end, so that a further end can have a scope.
enum SeventhTables {
    static let migration = Schema.Migration(name: "further ends with a scope") { dialect in
        [
            "ALTER TABLE activities ADD COLUMN first_end \(dialect.integer)",
            "UPDATE activities SET first_end = end_version WHERE end_replaced_at IS NOT NULL",
            "ALTER TABLE activities DROP COLUMN end_replaced_at",
        ]
    }
}
