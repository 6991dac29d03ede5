import EyotDomain

/// A step of the history: channels that Apple has lost, and the cards that followed them.
enum EditionTables {
    static let migration = Schema.Migration(name: "editions of channels", worksSince: 17) { dialect in
        [
            "ALTER TABLE channels ADD COLUMN edition \(dialect.integer) NOT NULL DEFAULT 1",
            // The cards that followed these channels are cut off.
            "UPDATE channels SET edition = 2 WHERE phase = 'lost' AND apple_id IS NOT NULL",
            "ALTER TABLE replicas ADD COLUMN channel \(dialect.integer)",
        ]
    }
}
