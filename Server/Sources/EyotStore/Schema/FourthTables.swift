/// The fourth step of the history: the system that a start token was reported under, and the key that a user was proven
/// with.
enum FourthTables {
    static let migration = Schema.Migration(name: "systems of tokens, keys of proofs") { dialect in
        [
            "ALTER TABLE start_tokens ADD COLUMN os_version \(dialect.text)",
            "ALTER TABLE devices ADD COLUMN proven_by \(dialect.text)",
        ]
    }
}
