import EyotDomain

/// A step of the history: what took a card from its phone.
enum RemovalTables {
    static let migration = Schema.Migration(name: "removals", worksSince: 17) { dialect in
        ["ALTER TABLE replicas ADD COLUMN removal \(dialect.text)"]
    }
}
