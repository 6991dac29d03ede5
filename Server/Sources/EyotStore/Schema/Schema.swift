import EyotDomain

/// The history of the tables. Steps are only ever appended.
package enum Schema {
    /// One step of the history. The database keeps its name, so that another program's database is recognised.
    struct Migration: Sendable {
        var name: String
        var statements: @Sendable (SQLDialect) -> [String]
    }

    static let migrations = [
        FirstTables.migration, SecondTables.migration, ThirdTables.migration, FourthTables.migration,
        FifthTables.migration, SixthTables.migration, SeventhTables.migration, EighthTables.migration,
        NinthTables.migration, TenthTables.migration, EleventhTables.migration, TwelfthTables.migration,
        InsightTables.migration, WatchTables.migration, MemberTables.migration, OverviewIndices.migration,
        UpdateTables.migration,
    ]

    /// The version that this program reads and writes.
    package static var version: Int { migrations.count }

    /// Migrates the database to the version of this program. The caller's transaction makes it all or nothing.
    ///
    /// - Throws: ``StoreError`` if the database is newer, or belongs to another program.
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
