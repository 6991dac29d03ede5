/// The third step of the history: the marks of tokens that have worked, and the trials of a paused app.
enum ThirdTables {
    static let migration = Schema.Migration(name: "proven tokens") { dialect in
        let integer = dialect.integer
        return [
            "ALTER TABLE replicas ADD COLUMN token_proven_above \(integer)",
            "ALTER TABLE apps ADD COLUMN sandbox_trials \(integer)",
            "ALTER TABLE apps ADD COLUMN sandbox_tried_at \(integer)",
            "ALTER TABLE apps ADD COLUMN production_trials \(integer)",
            "ALTER TABLE apps ADD COLUMN production_tried_at \(integer)",
        ]
    }
}
