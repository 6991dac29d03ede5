import CPq
import EyotStore

/// What the server answered to one statement, with all its rows.
final class PostgresResult {
    enum Status {
        case done, failed
        /// The server waits for rows, or is about to send them.
        case copying
        /// An earlier statement of the pipeline failed.
        case skipped
    }

    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { PQclear(handle) }

    var status: Status {
        switch PQresultStatus(handle) {
        case Int32(PGRES_COMMAND_OK), Int32(PGRES_TUPLES_OK): .done
        case Int32(PGRES_COPY_IN), Int32(PGRES_COPY_OUT): .copying
        case Int32(PGRES_PIPELINE_ABORTED): .skipped
        default: .failed
        }
    }

    var rowCount: Int { Int(PQntuples(handle)) }
    var columnCount: Int { Int(PQnfields(handle)) }
    /// How many rows the statement inserted, changed or removed.
    var changedRows: Int {
        let words = String(cString: PQcmdStatus(handle))
        return words.hasPrefix("SELECT") ? 0 : Int(String(cString: PQcmdTuples(handle))) ?? 0
    }

    /// The word for what was done, such as COMMIT.
    var word: String { String(cString: PQcmdStatus(handle)) }

    /// The code of the error, such as 40001; nil if the server named none.
    var errorCode: String? { PQresultErrorField(handle, Self.codeField).map { String(cString: $0) } }

    /// The message of the error, without its details, which hold values.
    var errorMessage: String? { PQresultErrorField(handle, Self.messageField).map { String(cString: $0) } }

    /// The number of the row that a COPY failed at, from 1 on; nil if the server named none.
    var errorRow: Int? {
        // The words are in the server's language, and the number is the first one among them.
        PQresultErrorField(handle, Self.contextField).flatMap { context in
            String(cString: context).split { !$0.isASCII || !$0.isNumber }.first.flatMap { Int($0) }
        }
    }

    // PG_DIAG_SQLSTATE, PG_DIAG_MESSAGE_PRIMARY and PG_DIAG_CONTEXT, which C writes as characters.
    private static let contextField = Int32(UInt8(ascii: "W"))
    private static let codeField = Int32(UInt8(ascii: "C"))
    private static let messageField = Int32(UInt8(ascii: "M"))

    func isNull(_ row: Int, _ column: Int) -> Bool { PQgetisnull(handle, Int32(row), Int32(column)) == 1 }

    /// The bytes of a value. They are valid as long as this result.
    func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(
            start: PQgetvalue(handle, Int32(row), Int32(column)),
            count: Int(PQgetlength(handle, Int32(row), Int32(column))))
    }

    func type(_ column: Int) -> PostgresType? { PostgresType(rawValue: PQftype(handle, Int32(column))) }
}

/// The types of values that Eyot's statements send and receive, by the numbers that PostgreSQL gives them.
enum PostgresType: UInt32 {
    case bool = 16
    case bytes = 17
    case name = 19
    case int8 = 20
    case int2 = 21
    case int4 = 23
    case text = 25
    case numeric = 1_700
    case varchar = 1_043

    init(_ kind: SQLValue.Kind) {
        switch kind {
        case .integer: self = .int8
        case .text: self = .text
        case .blob: self = .bytes
        }
    }

    /// Reads a whole number in binary form; nil if the bytes are not one.
    func number(in bytes: UnsafeRawBufferPointer) -> Int64? {
        switch (self, bytes.count) {
        case (.bool, 1): Int64(bytes[0])
        case (.int2, 2): Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        case (.int4, 4): Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case (.int8, 8): Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case (.numeric, 8...): Self.whole(bytes)
        default: nil
        }
    }

    /// A sum of whole numbers comes as a decimal: four numbers of 16 bits, and then digits in base 10,000.
    private static func whole(_ bytes: UnsafeRawBufferPointer) -> Int64? {
        func word(_ index: Int) -> Int {
            Int(Int16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2 * index, as: Int16.self)))
        }
        let (count, weight, isNegative) = (word(0), word(1), word(2) == 0x4000)
        guard count <= weight + 1, weight <= 4, bytes.count >= 8 + 2 * count else { return nil }
        var number: Int64 = 0
        for place in 0..<max(0, weight + 1) {
            let (product, overflows) = number.multipliedReportingOverflow(by: 10_000)
            guard !overflows else { return nil }
            number = product + Int64(place < count ? word(4 + place) : 0)
        }
        return isNegative ? -number : number
    }
}

/// The rows of a result, one after the other.
final class PostgresRows: SQLRow {
    private let result: PostgresResult
    private let types: [PostgresType?]
    private(set) var row = -1

    init(_ result: PostgresResult) {
        self.result = result
        types = (0..<result.columnCount).map(result.type)
    }

    /// Steps to the next row.
    ///
    /// - Returns: Whether there is a row.
    func step() -> Bool {
        row += 1
        return row < result.rowCount
    }

    func value(at column: Int) -> SQLValue? {
        guard column < types.count, !result.isNull(row, column) else { return nil }
        let bytes = result.bytes(row, column)
        switch types[column] {
        case .bytes: return .blob(Array(bytes))
        case .text, .varchar, .name: return .text(String(decoding: bytes, as: UTF8.self))
        case let type?: return type.number(in: bytes).map(SQLValue.integer)
        case nil: return .text(String(decoding: bytes, as: UTF8.self))
        }
    }

    func number(at column: Int) -> Int64? {
        guard column < types.count, !result.isNull(row, column) else { return nil }
        return types[column]?.number(in: result.bytes(row, column))
    }

    /// Reads the first columns into `numbers`. The bytes of the next column, if there is one, are the result's own.
    func read(_ numbers: UnsafeMutableBufferPointer<Int64>) -> SQLNumbers {
        for column in numbers.indices { numbers[column] = number(at: column) ?? 0 }
        let next = numbers.count
        let bytes =
            next < types.count && !result.isNull(row, next)
            ? result.bytes(row, next) : UnsafeRawBufferPointer(start: nil, count: 0)
        return SQLNumbers(UnsafeBufferPointer(numbers), bytes: bytes)
    }
}
