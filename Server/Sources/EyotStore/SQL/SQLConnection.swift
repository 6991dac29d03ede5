import Synchronization

/// A database connection inside one transaction, as the statements need it.
///
/// The drivers are thin: they bind, step and hand rows over. All SQL of the program is in this module.
package protocol SQLConnection: AnyObject {
    /// Runs a statement and passes each of its rows to `body`.
    ///
    /// It is not generic, as ``rows(_:_:_:)`` is. A generic function is specialised where it is called, and a
    /// requirement would not be.
    ///
    /// - Throws: ``StoreError``, and the errors of `body`.
    func forEachRow(
        _ statement: SQLStatement, _ arguments: [SQLValue], _ body: (inout SQLColumns) throws -> Void
    ) throws

    /// Runs a statement and passes each of its rows to `body`, for rows that are read by the million.
    ///
    /// - Parameter numbers: How many of the first columns hold numbers.
    /// - Throws: ``StoreError``, and the errors of `body`.
    func forEachRow(
        _ statement: SQLStatement, _ arguments: [SQLValue], numbers: Int, _ body: (SQLNumbers) throws -> Void
    ) throws

    /// Runs a statement that returns no rows.
    ///
    /// - Returns: How many rows it inserted, changed or removed.
    /// - Throws: ``StoreError``.
    @discardableResult
    func execute(_ statement: SQLStatement, _ arguments: [SQLValue]) throws -> Int

    /// Runs a statement without a result that is needed.
    ///
    /// A database behind a network may run it together with a later statement of the transaction that needs an answer.
    /// So an error may come with that one.
    ///
    /// - Parameter table: The table of which it must change exactly one row; nil if it may change any number.
    /// - Throws: ``StoreError``, of this statement or of one that was queued before.
    func queue(_ statement: SQLStatement, _ arguments: [SQLValue], changingRowOf table: String?) throws

    /// How events get their ids.
    var eventNumbers: EventNumbers { get }

    /// Names the writer among several that write at the same time; nil where there is one. Each keeps what it adds to
    /// the numbers of an app in rows of its own, so that none waits for another.
    var writerName: String? { get }

    /// Runs statements with a shape and cost that a caller chose, such as an audience's. Ends them if they take too
    /// long.
    ///
    /// - Throws: ``StoreError/interrupted``, and the errors of `body`.
    func search(_ body: () throws -> Void) throws
}

extension SQLConnection {
    package var writerName: String? { nil }

    /// The default for a database that answers at once.
    package func queue(_ statement: SQLStatement, _ arguments: [SQLValue], changingRowOf table: String?) throws {
        let changed = try execute(statement, arguments)
        if let table, changed != 1 { throw StoreError.rowMissing(table: table) }
    }

    /// Runs a statement that may change any number of rows, without a result that is needed.
    package func queue(_ statement: SQLStatement, _ arguments: [SQLValue]) throws {
        try queue(statement, arguments, changingRowOf: nil)
    }

    /// Runs a statement and reads its rows.
    ///
    /// - Throws: ``StoreError``, and the errors of `read`.
    package func rows<Row>(
        _ statement: SQLStatement, _ arguments: [SQLValue], _ read: (inout SQLColumns) throws -> Row
    ) throws -> [Row] {
        var rows: [Row] = []
        try forEachRow(statement, arguments) { rows.append(try read(&$0)) }
        return rows
    }
}

/// The text of one statement, in the dialect that all supported databases understand.
///
/// Parameters are `?1`, `?2`, … without gaps. Moments are parameters. Text is compared by its bytes.
package struct SQLStatement: Sendable, Hashable {
    package let text: String
    /// The number of a statement of the program, from 0 on; nil for a statement composed for a request. A driver keeps
    /// what it has prepared under this number, and need not look at the text again.
    package let number: Int?

    private static let numbers = Mutex<[String: Int]>([:])

    /// Makes a statement that is written in the program.
    package init(_ text: String) {
        self.text = text
        number = Self.numbers.withLock { numbers in
            let number = numbers[text] ?? numbers.count
            numbers[text] = number
            return number
        }
    }

    /// Makes a statement with a shape that depends on a request.
    package init(composed text: String) {
        self.text = text
        number = nil
    }
}

/// A value that goes into a statement or comes out of a row.
package enum SQLValue: Sendable, Hashable {
    /// No value, where another row has one of this kind.
    case null(Kind)
    case integer(Int64)
    case text(String)
    case blob([UInt8])

    /// The kind of a value. Some databases need to know it of a parameter without a value too.
    package enum Kind: Sendable, Hashable {
        case integer, text, blob
    }

    package var kind: Kind {
        switch self {
        case .null(let kind): kind
        case .integer: .integer
        case .text: .text
        case .blob: .blob
        }
    }
}

/// A row that the driver has stepped to. Valid until the next step.
package protocol SQLRow: AnyObject {
    /// The value in a column; nil if there is none.
    func value(at column: Int) -> SQLValue?
    /// The number in a column; nil if the column holds something else, or nothing. Most columns hold a number, and this
    /// wraps it in no value.
    func number(at column: Int) -> Int64?
}

/// A row of numbers, and the bytes of one further column. Nothing is copied, so it is valid until the next step.
package struct SQLNumbers {
    private let numbers: UnsafeBufferPointer<Int64>
    /// The bytes of the further column; empty if there is none.
    package let bytes: UnsafeRawBufferPointer

    package init(_ numbers: UnsafeBufferPointer<Int64>, bytes: UnsafeRawBufferPointer) {
        self.numbers = numbers
        self.bytes = bytes
    }

    /// The number in a column; 0 if the column holds something else.
    package subscript(column: Int) -> Int64 { numbers[column] }
}
