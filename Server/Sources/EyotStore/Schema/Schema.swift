import Crypto
import EyotContract

/// The history of the tables. A released step never changes, and steps are only appended.
package enum Schema {
    /// One step of the history.
    ///
    /// The database keeps the name and a hash of the text. So a program recognises a database that another history has
    /// made.
    package struct Migration: Sendable {
        package var name: String
        /// The lowest schema version of a program that works with the database after this step; nil for the step's own
        /// number. Older programs refuse the database.
        package var worksSince: Int?
        /// The statements of the step's first transaction.
        var statements: @Sendable (SQLDialect) -> [String]
        /// The rows that change afterwards, in batches; nil if the statements do everything.
        var fill: SchemaFill?

        package init(
            name: String, worksSince: Int? = nil, fill: SchemaFill? = nil,
            statements: @escaping @Sendable (SQLDialect) -> [String]
        ) {
            (self.name, self.worksSince, self.fill, self.statements) = (name, worksSince, fill, statements)
        }

        /// The text that is frozen with a release.
        package func text(in dialect: SQLDialect) -> String {
            (statements(dialect) + (fill?.texts(dialect) ?? [])).joined(separator: ";\n")
        }

        /// The SHA-256 of the text, as hexadecimal digits.
        package func hash(in dialect: SQLDialect) -> String {
            HexBytes.text(of: SHA256.hash(data: Array(text(in: dialect).utf8)))
        }
    }

    package static let migrations = [
        FirstTables.migration, SecondTables.migration, ThirdTables.migration, FourthTables.migration,
        FifthTables.migration, SixthTables.migration, SeventhTables.migration, EighthTables.migration,
        NinthTables.migration, TenthTables.migration, EleventhTables.migration, TwelfthTables.migration,
        InsightTables.migration, WatchTables.migration, MemberTables.migration, OverviewIndices.migration,
        UpdateTables.migration, NodeTables.migration, AliasTables.migration, AlertTables.migration,
        PersonTables.migration, HistoryTables.migration, SilenceTables.migration,
        RemovalTables.migration, KeepingTables.migration, EditionTables.migration, SpanTables.migration,
        RestTables.migration, FormerUserIndex.migration, FailureTables.migration, ShownTables.migration,
        RequestTables.migration, FormTables.migration, FirstReportTables.migration, StaleTables.migration,
    ]

    /// The version that this program reads and writes.
    package static var version: Int { migrations.count }

    /// The version of the last release. Each later step has to name this version, or a lower one, in
    /// ``Migration/worksSince``: the released program and the new schema work together.
    package static let releasedVersion = 17

    /// Brings the database to the version of this program, in the caller's transaction.
    ///
    /// - Throws: ``StoreError`` if the database has another history.
    package static func migrate(_ connection: any SQLConnection, dialect: SQLDialect) throws {
        try migrate(connection, by: dialect == .sqlite ? .sqlite : SchemaMigrator(dialect: dialect))
    }

    package static func migrate(
        _ connection: any SQLConnection, dialect: SQLDialect, through steps: [Migration]
    ) throws {
        try migrate(connection, by: SchemaMigrator(steps: steps, dialect: dialect))
    }

    private static func migrate(_ connection: any SQLConnection, by migrator: SchemaMigrator) throws {
        try migrator.check(migrator.history(connection))
        try migrator.completeHistory(connection)
        while try migrator.advance(connection, rows: .max) != nil {}
    }
}
