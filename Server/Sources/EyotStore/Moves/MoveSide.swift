/// One of the two databases of a move, in one transaction that keeps every other writer out.
///
/// A side that is not committed is left as it was.
package protocol MoveSide: AnyObject {
    var dialect: SQLDialect { get }
    /// The connection inside the transaction, for everything that is not bulk.
    var connection: any SQLConnection { get }

    /// Passes each row in the order of the primary key, in the form of ``RowBytes``. The bytes are valid until the body
    /// returns.
    ///
    /// - Throws: ``StoreError``, also ``StoreError/rowRefused(table:key:reason:)`` for text that not every database can
    ///   keep; and the errors of the body.
    func forEachRow(of table: MovedTable, _ body: (UnsafeRawBufferPointer) throws -> Void) throws

    /// Inserts rows.
    ///
    /// - Throws: ``StoreError``, also ``StoreError/rowRefused(table:key:reason:)``.
    func insert(_ rows: RowBatch, into table: MovedTable) throws

    /// A number that no key of a counted table has exceeded so far, also among removed rows.
    func highestNumber(of table: MovedTable) throws -> Int64

    /// Makes every further key of a counted table higher than a number.
    func count(above number: Int64, in table: MovedTable) throws

    /// Makes the numbers that the database draws for the rows of a log higher than those in the table.
    func raiseDrawnNumbers(of table: MovedTable) throws

    /// Makes the transaction durable.
    func commit() throws
}

extension MoveSide {
    /// Copies a table from another side, in batches.
    ///
    /// - Returns: How many rows it has.
    package func copy(_ table: MovedTable, from source: any MoveSide) throws -> Int {
        var (batch, count) = (RowBatch(), 0)
        try source.forEachRow(of: table) { row in
            batch.append(row)
            guard batch.isFull else { return }
            try insert(batch, into: table)
            count += batch.count
            batch.removeAll()
        }
        if !batch.isEmpty { try insert(batch, into: table) }
        count += batch.count
        if table.isCounted { try self.count(above: source.highestNumber(of: table), in: table) }
        try raiseDrawnNumbers(of: table)
        return count
    }

    /// Whether a table has no row.
    package func isEmpty(_ table: MovedTable) throws -> Bool {
        let statement = SQLStatement(composed: "SELECT 1 FROM \(table.name) LIMIT 1")
        return try connection.rows(statement, []) { try $0.number() }.isEmpty
    }
}
