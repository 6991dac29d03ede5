import EyotStore
import GRDB
import GRDBSQLite

/// A GRDB connection with what the statements need. It lives for one commit.
///
/// GRDB prepares and keeps the statements, and this type binds and steps them. GRDB's own binding takes longer than
/// SQLite needs to store a row. So does finding a statement by its text. Therefore this connection finds its
/// statements by their numbers.
final class GRDBConnection: SQLConnection {
    let database: Database
    private var prepared: [SteppedStatement?] = []
    private let longestSearch: Duration?
    /// When the searches of the current body must end; nil before its first one.
    var searchEnd: ContinuousClock.Instant?

    /// - Parameter longestSearch: How long the searches of one body may take together; nil for no limit of its own.
    init(_ database: Database, longestSearch: Duration? = nil) {
        self.database = database
        self.longestSearch = longestSearch
    }

    var eventNumbers: EventNumbers { .bySequence }

    func search(_ body: () throws -> Void) throws {
        guard let longestSearch else { return try body() }
        let end = searchEnd ?? ContinuousClock.now + longestSearch
        searchEnd = end
        try StatementDeadline.until(end, on: database, body)
    }

    func forEachRow(
        _ statement: SQLStatement, _ arguments: [SQLValue], _ body: (inout SQLColumns) throws -> Void
    ) throws {
        let stepped = try prepare(statement, arguments)
        defer { stepped.reset() }
        while try stepped.step() {
            var columns = SQLColumns(stepped)
            try body(&columns)
        }
    }

    func forEachRow(
        _ statement: SQLStatement, _ arguments: [SQLValue], numbers count: Int, _ body: (SQLNumbers) throws -> Void
    ) throws {
        let stepped = try prepare(statement, arguments)
        defer { stepped.reset() }
        try withUnsafeTemporaryAllocation(of: Int64.self, capacity: count) { numbers in
            numbers.initialize(repeating: 0)
            while try stepped.step() { try body(stepped.read(numbers)) }
        }
    }

    @discardableResult
    func execute(_ statement: SQLStatement, _ arguments: [SQLValue]) throws -> Int {
        let stepped = try prepare(statement, arguments)
        defer { stepped.reset() }
        while try stepped.step() {}
        return database.changesCount
    }

    /// How often the kept statements were run, by SQLite's own count.
    static func statementsRun(_ database: Database) -> Int {
        var statement = sqlite3_next_stmt(database.sqliteConnection, nil)
        var count = 0
        while let each = statement {
            count += Int(sqlite3_stmt_status(each, SQLITE_STMTSTATUS_RUN, 0))
            statement = sqlite3_next_stmt(database.sqliteConnection, each)
        }
        return count
    }

    /// Prepares a statement that is stepped by the caller.
    func prepare(composed text: String) throws -> SteppedStatement {
        SteppedStatement(try translated { try database.makeStatement(sql: text) })
    }

    private func prepare(_ statement: SQLStatement, _ arguments: [SQLValue]) throws -> SteppedStatement {
        let stepped = try steppedStatement(statement)
        try stepped.bind(arguments)
        return stepped
    }

    private func steppedStatement(_ statement: SQLStatement) throws -> SteppedStatement {
        guard let number = statement.number else { return try prepare(composed: statement.text) }
        if number < prepared.count, let known = prepared[number] { return known }
        let stepped = SteppedStatement(try translated { try database.cachedStatement(sql: statement.text) })
        if number >= prepared.count {
            prepared += Array(repeating: nil, count: number + 1 - prepared.count)
        }
        prepared[number] = stepped
        return stepped
    }
}

/// A prepared statement on its way through its rows.
final class SteppedStatement: SQLRow {
    /// The owner of the handle, which is valid for as long as the owner lives.
    private let owner: Statement
    let handle: SQLiteStatement

    init(_ statement: Statement) {
        owner = statement
        handle = statement.sqliteStatement
    }

    func bind(_ arguments: [SQLValue]) throws {
        for (index, argument) in arguments.enumerated() {
            let result = try bind(argument, at: Int32(index + 1))
            guard result == SQLITE_OK else { throw failure(result) }
        }
    }

    private func bind(_ argument: SQLValue, at index: Int32) throws -> Int32 {
        switch argument {
        case .null: return sqlite3_bind_null(handle, index)
        case .integer(let number): return sqlite3_bind_int64(handle, index, number)
        case .text(var text):
            return try text.withUTF8 { utf8 in
                guard !utf8.contains(0) else { throw StoreError.textWithNUL }
                return sqlite3_bind_text(handle, index, utf8.baseAddress, Int32(utf8.count), Self.copied)
            }
        case .blob(let bytes):
            // A null address would mean NULL.
            guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(handle, index, 0) }
            return bytes.withUnsafeBytes { bytes in
                sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count), Self.copied)
            }
        }
    }

    /// SQLITE_TRANSIENT, which C writes as -1 instead of a function: SQLite copies the bytes before it returns.
    static var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

    /// Steps to the next row.
    ///
    /// - Returns: Whether there is a row.
    func step() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: true
        case SQLITE_DONE: false
        case let result: throw failure(result)
        }
    }

    /// Prepares the statement for its next use. SQLite's result is ignored, because ``step()`` has reported the error.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// Reads the first columns into `numbers`. The bytes of the next column, if there is one, are SQLite's own and
    /// valid until the next step.
    func read(_ numbers: UnsafeMutableBufferPointer<Int64>) -> SQLNumbers {
        for column in numbers.indices { numbers[column] = sqlite3_column_int64(handle, Int32(column)) }
        let next = Int32(numbers.count)
        let bytes = next < sqlite3_column_count(handle) ? bytes(at: next) : UnsafeRawBufferPointer(start: nil, count: 0)
        return SQLNumbers(UnsafeBufferPointer(numbers), bytes: bytes)
    }

    /// The bytes of a column, not copied.
    func bytes(at column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: sqlite3_column_blob(handle, column), count: Int(sqlite3_column_bytes(handle, column)))
    }

    /// Reads a column. Bytes are copied, because the next step may move SQLite's own.
    func value(at column: Int) -> SQLValue? {
        let column = Int32(column)
        switch sqlite3_column_type(handle, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, column))
        case SQLITE_NULL: return nil
        case SQLITE_BLOB: return .blob([UInt8](bytes(at: column)))
        default:
            // Text. No column of Eyot's has a number with a fraction. Read as text, it fails where a number is
            // expected.
            let text = sqlite3_column_text(handle, column)
            let utf8 = UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, column)))
            return .text(String(decoding: utf8, as: UTF8.self))
        }
    }

    func number(at column: Int) -> Int64? {
        let column = Int32(column)
        return sqlite3_column_type(handle, column) == SQLITE_INTEGER ? sqlite3_column_int64(handle, column) : nil
    }

    func failure(_ result: Int32) -> StoreError {
        let message = String(cString: sqlite3_errmsg(sqlite3_db_handle(handle)))
        return .from(result, message)
    }
}

extension StoreError {
    /// The store's error for a result of SQLite. SQLite's messages name columns and constraints, not values.
    static func from(_ extendedCode: Int32, _ message: String) -> StoreError {
        let detail = "\(message) (SQLite \(extendedCode))"
        if extendedCode == sharedMemoryNotGrown { return .diskFull }
        return switch extendedCode & 0xFF {
        case SQLITE_CONSTRAINT: .constraint(detail)
        case SQLITE_FULL: .diskFull
        case SQLITE_INTERRUPT: .interrupted
        case SQLITE_BUSY: .refused(.held, detail)
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH: .refused(.rights, detail)
        case SQLITE_NOMEM: .refused(.resources, detail)
        case SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_CANTOPEN: .refused(.files, detail)
        case SQLITE_ERROR where saysMissing(message): .refused(.tables, detail)
        default: .failed(detail)
        }
    }

    /// Whether SQLite says that a table or a column is not there. It has no code of its own for that.
    private static func saysMissing(_ message: String) -> Bool {
        ["no such table", "no such column", "has no column named"].contains { message.contains($0) }
    }

    /// The store's error for an error of GRDB.
    init(_ error: DatabaseError) { self = .from(error.extendedResultCode.rawValue, error.message ?? "no message") }

    /// SQLITE_IOERR_SHMSIZE: the index of the log could not grow. The usual reason is a full disk.
    private static let sharedMemoryNotGrown = SQLITE_IOERR | 19 << 8
}

/// Runs `body` and converts errors of the database to ``StoreError``. The values of statements stay out of them.
func translated<Result>(_ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch let error as DatabaseError {
        throw StoreError(error)
    }
}
