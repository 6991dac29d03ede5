import EyotDomain

/// The tables, as a history: steps are only ever appended.
package enum Schema {
    /// One step of the history. Its name is kept, so that another program's database is not taken for ours.
    struct Migration: Sendable {
        var name: String
        var statements: @Sendable (SQLDialect) -> [String]
    }

    static let migrations = [
        FirstTables.migration, SecondTables.migration, ThirdTables.migration, FourthTables.migration,
        FifthTables.migration, SixthTables.migration,
    ]

    /// The version that this program writes and reads.
    package static var version: Int { migrations.count }

    /// Brings the database to the version of this program. One transaction of the caller's, so it is done whole or not.
    ///
    /// - Throws: ``StoreError`` where the database is newer, or is not ours.
    package static func migrate(_ connection: any SQLConnection, dialect: SQLDialect) throws {
        try migrate(connection, dialect: dialect, through: migrations)
    }

    static func migrate(_ connection: any SQLConnection, dialect: SQLDialect, through steps: [Migration]) throws {
        try connection.execute(
            SQLStatement(
                """
                CREATE TABLE IF NOT EXISTS schema_steps \
                (step \(dialect.integer) NOT NULL PRIMARY KEY, name \(dialect.text) NOT NULL) \(dialect.rows)
                """), [])
        let done = try connection.rows(SQLStatement("SELECT name FROM schema_steps ORDER BY step"), []) {
            try $0.text()
        }
        guard done.count <= steps.count else {
            throw StoreError.schemaNewer(found: done.count, known: steps.count)
        }
        for (index, name) in done.enumerated() where name != steps[index].name {
            throw StoreError.schemaForeign(step: index + 1, found: name, expected: steps[index].name)
        }
        for (index, step) in steps.enumerated().dropFirst(done.count) {
            for statement in step.statements(dialect) {
                try connection.execute(SQLStatement(composed: statement), [])
            }
            try connection.execute(
                SQLStatement("INSERT INTO schema_steps (step, name) VALUES (?1, ?2)"),
                [SQLValue(index + 1), SQLValue(step.name)])
        }
    }
}
