/// Work of a step on all rows of a table. It is done in batches, so that each transaction is short. A fill that was
/// interrupted continues after its last batch.
package struct SchemaFill: Sendable {
    /// The table that gives the batches.
    var table: String
    /// A column of the table with whole numbers above 0 and an index. Batches go upwards by it.
    var key: String
    /// Statements for the rows with a key above `?1` and up to `?2`. They may run again for rows that are done.
    var statements: [String]

    package init(table: String, key: String, statements: [String]) {
        (self.table, self.key, self.statements) = (table, key, statements)
    }

    /// Finds the last key of a batch after `?1` with up to `?2` rows.
    private var bound: String {
        "SELECT MAX(k) FROM (SELECT \(key) AS k FROM \(table) WHERE \(key) > ?1 ORDER BY \(key) LIMIT ?2)"
    }

    /// The text of the fill, for the step's hash.
    func texts(_ dialect: SQLDialect) -> [String] { [bound] + statements }

    /// Does the next batch.
    ///
    /// - Parameter rows: How many rows of the table the batch has, more if several have the last key.
    /// - Returns: The batch's last key; nil if no row was left.
    func advance(_ connection: any SQLConnection, after place: Int64, rows: Int64) throws -> Int64? {
        let bounds = try connection.rows(SQLStatement(composed: bound), [.integer(place), .integer(rows)]) {
            try $0.optionalNumber()
        }
        guard let last = bounds.first ?? nil else { return nil }
        for statement in statements {
            try connection.execute(SQLStatement(composed: statement), [.integer(place), .integer(last)])
        }
        return last
    }

    /// The highest key of the table; 0 if it has no rows.
    func end(_ connection: any SQLConnection) throws -> Int64 {
        let statement = SQLStatement(composed: "SELECT COALESCE(MAX(\(key)), 0) FROM \(table)")
        return try connection.rows(statement, []) { try $0.number() }.first ?? 0
    }
}
