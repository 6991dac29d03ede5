/// The copy of all rows from one database to an empty one, and the comparison of both afterwards.
package struct MoveRows {
    /// What was read of a table in both databases after the copy.
    package struct Comparison: Sendable, Hashable {
        package var table: String
        package var source: TableDigest
        package var target: TableDigest
    }

    /// How far a move is.
    package enum Progress: Sendable, Hashable {
        case copied(table: String, rows: Int)
        case compared(table: String, rows: Int)
    }

    private let tables: [MovedTable]
    private let report: (Progress) -> Void

    /// - Parameters:
    ///   - tables: All tables, each after those that it refers to.
    ///   - report: Receives each step.
    package init(_ tables: [MovedTable], report: @escaping (Progress) -> Void = { _ in }) {
        (self.tables, self.report) = (tables, report)
    }

    /// Copies all tables, and reads both databases again.
    ///
    /// - Throws: ``MoveFault`` if the target has a row before, or differs afterwards; and ``StoreError``.
    package func callAsFunction(from source: any MoveSide, to target: any MoveSide) throws -> [Comparison] {
        for table in tables {
            guard try target.isEmpty(table) else {
                throw MoveFault(
                    .targetNotEmpty,
                    """
                    the target has rows in its table \(table.name), and a copy replaces nothing. Name a new database
                    """)
            }
        }
        for table in tables { report(.copied(table: table.name, rows: try target.copy(table, from: source))) }
        let comparisons = try tables.map { table in
            let comparison = Comparison(
                table: table.name, source: try TableDigest(of: table, in: source),
                target: try TableDigest(of: table, in: target))
            report(.compared(table: table.name, rows: comparison.target.rows))
            return comparison
        }
        let different = comparisons.filter { $0.source != $0.target }
        guard different.isEmpty else {
            let tables = different.map { "\($0.table) (\($0.source.rows) rows, then \($0.target.rows))" }
            throw MoveFault(
                .digestsDiffer,
                "the copy differs from its source and was undone: \(tables.joined(separator: ", "))")
        }
        return comparisons
    }
}
