import Synchronization

/// What the statements need of a database. One connection, inside one transaction.
///
/// The drivers are thin: they bind, step and hand rows over. Everything that is said in SQL is said in this module.
package protocol SQLConnection: AnyObject {
    /// Runs a statement and shows each of its rows.
    ///
    /// Not generic, as ``rows(_:_:_:)`` is: that is made for each kind of row where it is called, and a requirement would not be.
    ///
    /// - Throws: ``StoreError``, and whatever `body` throws.
    func forEachRow(
        _ statement: SQLStatement, _ arguments: [SQLValue], _ body: (inout SQLColumns) throws -> Void
    ) throws

    /// Runs a statement and shows each of its rows, for those that are read by the million.
    ///
    /// - Parameter numbers: so many columns hold numbers, the first ones.
    /// - Throws: ``StoreError``, and whatever `body` throws.
    func forEachRow(
        _ statement: SQLStatement, _ arguments: [SQLValue], numbers: Int, _ body: (SQLNumbers) throws -> Void
    ) throws

    /// Runs a statement that answers with no rows.
    ///
    /// - Returns: how many rows it inserted, changed or removed.
    /// - Throws: ``StoreError``.
    @discardableResult
    func execute(_ statement: SQLStatement, _ arguments: [SQLValue]) throws -> Int

    /// Runs statements whose shape and cost a caller chose, such as an audience's, and ends them if they take too long.
    ///
    /// - Throws: ``StoreError/interrupted``, and whatever `body` throws.
    func search(_ body: () throws -> Void) throws
}

extension SQLConnection {
    /// Runs a statement and reads the rows that it answers with.
    ///
    /// - Throws: ``StoreError``, and whatever `read` throws.
    package func rows<Row>(
        _ statement: SQLStatement, _ arguments: [SQLValue], _ read: (inout SQLColumns) throws -> Row
    ) throws -> [Row] {
        var rows: [Row] = []
        try forEachRow(statement, arguments) { rows.append(try read(&$0)) }
        return rows
    }
}

/// The text of one statement, in the dialect that all databases here understand.
///
/// Parameters are `?1`, `?2`, … and numbered without gaps; moments come in as parameters; text is compared by its bytes.
package struct SQLStatement: Sendable, Hashable {
    package let text: String
    /// Numbers the statements that are written in the program, from 0 on: a driver may keep what it has prepared for one, and
    /// finds it without reading the text again. Nil for one whose shape depends on a request.
    package let number: Int?

    private static let numbers = Mutex<[String: Int]>([:])

    /// A statement that is written in the program.
    package init(_ text: String) {
        self.text = text
        number = Self.numbers.withLock { numbers in
            let number = numbers[text] ?? numbers.count
            numbers[text] = number
            return number
        }
    }

    /// A statement whose shape depends on a request.
    package init(composed text: String) {
        self.text = text
        number = nil
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
    /// The number in a column, without a value around it: most columns hold one. Nil where it holds something else, or nothing.
    func number(at column: Int) -> Int64?
}

/// One row of numbers and, where it has one column more, bytes. Nothing of it is copied: valid until the next one.
package struct SQLNumbers {
    private let numbers: UnsafeBufferPointer<Int64>
    /// None where the column holds none.
    package let bytes: UnsafeRawBufferPointer

    package init(_ numbers: UnsafeBufferPointer<Int64>, bytes: UnsafeRawBufferPointer) {
        self.numbers = numbers
        self.bytes = bytes
    }

    /// The number in a column; 0 where that holds something else.
    package subscript(column: Int) -> Int64 { numbers[column] }
}
