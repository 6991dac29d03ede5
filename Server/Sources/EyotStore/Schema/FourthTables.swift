/// The fourth step of the history: under which system a start token was shown.
enum FourthTables {
    static let migration = Schema.Migration(name: "systems of tokens") { dialect in
        ["ALTER TABLE start_tokens ADD COLUMN os_version \(dialect.text)"]
    }
}
