import EyotDomain

/// A step of the history: the numbers of changes of person, in place of moments (R12).
enum PersonTables {
    static let migration = Schema.Migration(name: "changes of person", worksSince: 17) { dialect in
        let integer = dialect.integer
        return [
            """
            CREATE TABLE person_changes (
                app \(integer) NOT NULL PRIMARY KEY REFERENCES apps (id),
                number \(integer) NOT NULL
            ) \(dialect.rows)
            """
        ]
            + ["devices", "replicas", "member_lists"].map {
                "ALTER TABLE \($0) ADD COLUMN person_number \(integer) NOT NULL DEFAULT 0"
            }
    }
}
