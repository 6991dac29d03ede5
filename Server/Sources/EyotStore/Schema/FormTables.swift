import EyotDomain

/// A step of the history: the vendor that has the form of a webhook's events.
enum FormTables {
    static let migration = Schema.Migration(name: "forms of webhooks", worksSince: 17) { dialect in
        ["ALTER TABLE webhooks ADD COLUMN vendor \(dialect.text)"]
    }
}
