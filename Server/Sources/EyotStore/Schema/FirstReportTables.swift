import EyotDomain

/// A step of the history: what cards show when their phones first report them.
enum FirstReportTables {
    static let migration = Schema.Migration(name: "states of first reports", worksSince: 17) { dialect in
        ["ALTER TABLE arrivals ADD COLUMN digest \(dialect.text)"]
    }
}
