/// The fourth step of the history: under which system a start token was shown, and by which key a user is proven.
enum FourthTables {
    static let migration = Schema.Migration(name: "systems of tokens, keys of proofs") { dialect in
        [
            "ALTER TABLE start_tokens ADD COLUMN os_version \(dialect.text)",
            "ALTER TABLE devices ADD COLUMN proven_by \(dialect.text)",
        ]
    }
}
