import EyotDomain

/// A step of the history: the silence after which a start without a card is made again.
enum SilenceTables {
    static let migration = Schema.Migration(name: "silent starts", worksSince: 17) { dialect in
        ["ALTER TABLE type_profiles ADD COLUMN restart_after \(dialect.integer)"]
    }
}
