/// What the statements need of a database. One connection, inside one transaction.
///
/// The drivers are thin: they bind, step and hand rows over. Everything that is said in SQL is said in this module.
package protocol SQLConnection: AnyObject {
    /// Runs a statement and reads the rows that it answers with.
    ///
    /// - Throws: ``StoreError``, and whatever `read` throws.
    func rows<Row>(
        _ statement: SQLStatement, _ arguments: [SQLValue], _ read: (inout SQLColumns) throws -> Row
    ) throws -> [Row]

    /// Runs a statement and shows each of its rows, for those that are read by the million.
    ///
    /// - Throws: ``StoreError``, and whatever `body` throws.
    func forEachRow(
        _ statement: SQLStatement, _ arguments: [SQLValue], _ body: (any SQLRow) throws -> Void
    ) throws

    /// Runs a statement that answers with no rows.
    ///
    /// - Returns: how many rows it inserted, changed or removed.
    /// - Throws: ``StoreError``.
    @discardableResult
    func execute(_ statement: SQLStatement, _ arguments: [SQLValue]) throws -> Int
}

/// The text of one statement, in the dialect that all databases here understand.
///
/// Parameters are `?1`, `?2`, … and numbered without gaps; moments come in as parameters; text is compared by its bytes.
package struct SQLStatement: Sendable, Hashable {
    package let text: String
    /// The text is always the same, so that a driver may keep the prepared statement for good.
    package let isFixed: Bool

    /// A statement that is written in the program.
    package init(_ text: String) {
        self.text = text
        isFixed = true
    }

    /// A statement whose shape depends on a request.
    package init(composed text: String) {
        self.text = text
        isFixed = false
    }
}

/// A value that goes into a statement or comes out of a row.
package enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
}

/// One row, as far as the driver has read it. Valid until the next one.
package protocol SQLRow: AnyObject {
    func value(at column: Int) -> SQLValue
    /// The number in a column that holds one; 0 for anything else. For rows that are read by the million.
    func integer(at column: Int) -> Int64
    /// The bytes of a column that holds some; none for anything else. They are not copied.
    func withBytes<Result>(at column: Int, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result
}
