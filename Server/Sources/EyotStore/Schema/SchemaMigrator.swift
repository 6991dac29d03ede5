/// Takes a database along the history of the tables. Each function is part of one transaction of the caller's.
///
/// ``history(_:)`` and ``check(_:)`` only read. ``completeHistory(_:)`` prepares the table of steps.
/// ``advance(_:rows:)`` takes one step, or does one batch of a step's fill, and is repeated until nothing is left. A
/// process that is killed between two transactions continues at the same place.
package struct SchemaMigrator: Sendable {
    package let steps: [Schema.Migration]
    package let dialect: SQLDialect
    /// The statements of the steps' first transactions, in their order.
    let statements: [[String]]
    /// The hashes of the steps, in their order.
    let hashes: [String]
    /// Whether the steps' plain indices are left to the caller, which makes them while others write
    /// (``indices``).
    package var leavesIndices = false

    package init(steps: [Schema.Migration] = Schema.migrations, dialect: SQLDialect) {
        (self.steps, self.dialect) = (steps, dialect)
        statements = steps.enumerated().map { index, step in
            let all = step.statements(dialect)
            guard index + 1 < dialect.firstStepWithRows else { return all }
            return all.filter { !$0.hasPrefix("INSERT ") && !$0.hasPrefix("UPDATE ") }
        }
        hashes = steps.map { $0.hash(in: dialect) }
    }

    /// The history of this program for SQLite.
    package static let sqlite = SchemaMigrator(dialect: .sqlite)
    /// The same for PostgreSQL.
    package static let postgres = SchemaMigrator(dialect: .postgres)

    /// Columns that databases of version 0.1.0 do not have.
    private static let laterColumns = ["hash", "works_since", "place"]

    /// Reads the steps that the database has taken. A database without the table has taken none.
    package func history(_ connection: any SQLConnection) throws -> SchemaHistory {
        let columns = try columns(connection)
        guard !columns.isEmpty else { return .empty }
        let isComplete = Self.laterColumns.allSatisfy(columns.contains)
        let later = isComplete ? "hash, works_since, place" : "NULL, NULL, NULL"
        let statement = SQLStatement(composed: "SELECT step, name, \(later) FROM schema_steps ORDER BY step")
        let steps = try connection.rows(statement, []) { row in
            SchemaHistory.Step(
                number: try row.integer(), name: try row.text(), hash: try row.optionalText(),
                worksSince: try row.optionalInteger(), place: try row.optionalNumber())
        }
        return SchemaHistory(steps: steps, isComplete: isComplete)
    }

    /// Checks that this program works with a database that has taken these steps.
    ///
    /// - Throws: ``StoreError/schemaForeign(_:)``, ``StoreError/schemaNewer(found:known:worksSince:)`` or
    ///   ``StoreError/schemaUnfinished(step:name:)``.
    package func check(_ history: SchemaHistory) throws(StoreError) {
        for (index, (found, step)) in zip(history.steps, steps).enumerated() {
            let number = index + 1
            guard found.number == number, found.name == step.name else {
                throw .schemaForeign(.name(step: number, found: found.name, expected: step.name))
            }
            guard found.hash == nil || found.hash == hashes[index] else {
                throw .schemaForeign(.text(step: number, name: step.name))
            }
            if found.place != nil, step.fill == nil {
                throw .schemaUnfinished(step: number, name: step.name)
            }
        }
        let unknown = history.steps.dropFirst(steps.count)
        let worksSince = unknown.map { $0.worksSince ?? $0.number }.max() ?? 0
        guard worksSince <= steps.count else {
            throw .schemaNewer(found: history.version, known: steps.count, worksSince: worksSince)
        }
        if let unfinished = unknown.first(where: { $0.place != nil }) {
            throw .schemaUnfinished(step: unfinished.number, name: unfinished.name)
        }
    }

    /// Returns what is left to do for a database with a checked history.
    package func plan(_ history: SchemaHistory) -> SchemaPlan {
        let unfinished = history.steps.filter { $0.place != nil }
        let missing = steps.enumerated().dropFirst(history.version).map { index, step in
            SchemaHistory.Step(number: index + 1, name: step.name, worksSince: step.worksSince)
        }
        return SchemaPlan(
            found: history.version, known: steps.count, pending: unfinished + missing,
            recordsHashes: history.version > 0 && history.steps.contains { $0.hash == nil })
    }

    var tableOfSteps: String {
        """
        CREATE TABLE schema_steps (step \(dialect.integer) NOT NULL PRIMARY KEY, name \(dialect.text) NOT NULL, \
        hash \(dialect.text), works_since \(dialect.integer), place \(dialect.integer)) \(dialect.rows)
        """
    }

    /// Creates the table of steps, or adds what a database of version 0.1.0 does not have.
    package func completeHistory(_ connection: any SQLConnection) throws {
        let columns = try columns(connection)
        if columns.isEmpty {
            try run(tableOfSteps, on: connection)
        }
        for column in Self.laterColumns where !columns.isEmpty && !columns.contains(column) {
            let type = column == "hash" ? dialect.text : dialect.integer
            try run("ALTER TABLE schema_steps ADD COLUMN \(column) \(type)", on: connection)
        }
        for found in try history(connection).steps where found.hash == nil && found.number <= steps.count {
            let step = steps[found.number - 1]
            try connection.execute(
                SQLStatement("UPDATE schema_steps SET hash = ?2, works_since = ?3 WHERE step = ?1"),
                [SQLValue(found.number), SQLValue(hashes[found.number - 1]), SQLValue(step.worksSince ?? found.number)])
        }
    }

    /// Does the next piece of work: a batch of an unfinished step, or the statements of the next step.
    ///
    /// - Parameter rows: How many rows a batch has.
    /// - Returns: What was done; nil if nothing is left.
    package func advance(_ connection: any SQLConnection, rows: Int64) throws -> SchemaProgress? {
        let history = try history(connection)
        try check(history)
        if let unfinished = history.steps.first(where: { $0.place != nil }), let place = unfinished.place,
            let fill = steps[unfinished.number - 1].fill
        {
            let last = try fill.advance(connection, after: place, rows: rows)
            try connection.execute(
                SQLStatement("UPDATE schema_steps SET place = ?2 WHERE step = ?1"),
                [SQLValue(unfinished.number), SQLValue(last)])
            return SchemaProgress(
                step: unfinished.number, name: unfinished.name,
                fill: try last.map { .init(place: $0, end: try fill.end(connection)) })
        }
        guard history.version < steps.count else { return nil }
        return try begin(history.version + 1, on: connection)
    }

    private func begin(_ number: Int, on connection: any SQLConnection) throws -> SchemaProgress {
        let step = steps[number - 1]
        for statement in statements[number - 1] where !leavesIndices || PlainIndex(statement) == nil {
            // An index of an earlier step may have been left to the caller, or to another process that takes turns.
            let dropped = PlainIndex.name(droppedBy: statement)
            try run(dropped.map { "DROP INDEX IF EXISTS \($0)" } ?? statement, on: connection)
        }
        try connection.execute(
            SQLStatement(
                "INSERT INTO schema_steps (step, name, hash, works_since, place) VALUES (?1, ?2, ?3, ?4, ?5)"),
            [
                SQLValue(number), SQLValue(step.name), SQLValue(hashes[number - 1]),
                SQLValue(step.worksSince ?? number), step.fill == nil ? .null(.integer) : .integer(0),
            ])
        return SchemaProgress(
            step: number, name: step.name, fill: try step.fill.map { .init(place: 0, end: try $0.end(connection)) })
    }

    /// The plain indices that a database has after all steps.
    package var indices: [PlainIndex] {
        var indices: [PlainIndex] = []
        for statement in statements.joined() {
            if let index = PlainIndex(statement) { indices.append(index) }
            indices.removeAll {
                PlainIndex.name(droppedBy: statement) == Substring($0.name) || statement == "DROP TABLE \($0.table)"
            }
        }
        return indices
    }

    private func columns(_ connection: any SQLConnection) throws -> Set<String> {
        Set(try connection.rows(SQLStatement(dialect.columnsOfTable), [.text("schema_steps")]) { try $0.text() })
    }

    private func run(_ statement: String, on connection: any SQLConnection) throws {
        try connection.execute(SQLStatement(composed: statement), [])
    }
}
