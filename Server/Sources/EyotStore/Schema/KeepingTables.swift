import EyotDomain

/// A step of the history: the cards that keep a state, because their build cannot decode the newer ones.
enum KeepingTables {
    static let migration = Schema.Migration(name: "kept states", worksSince: 17) { dialect in
        ["kept", "kept_as_of", "kept_until"].map { "ALTER TABLE replicas ADD COLUMN \($0) \(dialect.integer)" }
    }
}
