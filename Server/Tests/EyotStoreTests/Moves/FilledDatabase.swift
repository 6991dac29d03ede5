import EyotStore
import Foundation
import GRDB
import Testing

@testable import EyotSQLite

/// A database in a file with rows in every table, made from what the tables allow.
///
/// Values are chosen until a row satisfies the constraints of its table. So a table that a later step makes is filled,
/// too.
struct FilledDatabase {
    /// The fewest rows of a table, and how many it gets if they are found soon.
    static let least = 2
    private static let most = 6
    private static let attempts = 20_000
    private static let soon = 200

    private let tables: [MovedTable]
    private var random = Random(state: 1)
    /// The values that rows have so far, by column. Rows that refer to others find theirs here.
    private var known: [String: [DatabaseValue]] = [:]

    /// A generator with a seed, so that a failure comes again.
    private struct Random: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    /// What is stored of a column.
    private struct Column {
        var name: String
        var kind: SQLValue.Kind
        var mayBeNull: Bool
        /// The values that a check of the table allows; empty for any.
        var allowed: [DatabaseValue]

        /// Columns with the same place refer to each other.
        var place: String { "\(kind) \(name)" }
    }

    /// The file that all tests of a process copy.
    private static let template = Result {
        let folder = try TemporaryFolder()
        return (folder, tables: try FilledDatabase(at: folder.path("filled.db")).tables)
    }

    /// Makes a filled file.
    ///
    /// - Parameter path: A file that does not exist yet.
    /// - Returns: Its tables.
    @discardableResult
    static func make(_ path: String) throws -> [MovedTable] {
        let (folder, tables) = try template.get()
        try FileManager.default.copyItem(atPath: folder.path("filled.db"), toPath: path)
        return tables
    }

    private init(at path: String) throws {
        tables = try MovedTable.all()
        try SQLiteDatabase(path: path).close()
        let queue = try DatabaseQueue(path: path, configuration: SQLiteDatabase.configuration())
        for table in tables { try queue.write { try fill(table, $0) } }
        try queue.close()
    }

    private mutating func fill(_ table: MovedTable, _ database: Database) throws {
        let columns = try Self.columns(of: table, database)
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        let insert = try database.makeStatement(
            sql: "INSERT INTO \(table.name) (\(table.columnNames)) VALUES (\(places))")
        var (rows, attempt) = (0, 0)
        while rows < Self.most, attempt < (rows < Self.least ? Self.attempts : Self.soon) {
            attempt += 1
            let values = columns.map { value(of: $0) }
            do {
                try insert.execute(arguments: StatementArguments(values))
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                continue
            }
            rows += 1
            for (column, value) in zip(columns, values) { known[column.place, default: []].append(value) }
        }
        try #require(rows >= Self.least, "\(table.name) has \(rows) rows")
    }

    private static func columns(of table: MovedTable, _ database: Database) throws -> [Column] {
        let sql = try String.fetchOne(
            database, sql: "SELECT sql FROM sqlite_master WHERE name = ?", arguments: [table.name])
        let text = try #require(sql)
        let required = try Row.fetchAll(
            database, sql: "SELECT name FROM pragma_table_info(?) WHERE \"notnull\" = 1 OR pk > 0",
            arguments: [table.name]
        ).map { $0[0] as String }
        return try table.columns.map { column in
            let name = column.name
            let equal = try Regex("\\b\(name) = '([^']*)'", as: (Substring, Substring).self)
            var allowed = text.matches(of: equal).map { String($0.output.1).databaseValue }
            let lists = try Regex("\\b\(name) IN \\(([^)]*)\\)", as: (Substring, Substring).self)
            for list in text.matches(of: lists) {
                for word in list.output.1.split(separator: ",").map({ $0.filter { $0 != " " } }) {
                    allowed.append(Int64(word)?.databaseValue ?? word.filter { $0 != "'" }.databaseValue)
                }
            }
            return Column(name: name, kind: column.kind, mayBeNull: !required.contains(name), allowed: allowed)
        }
    }

    private mutating func value(of column: Column) -> DatabaseValue {
        if column.mayBeNull, Int.random(in: 0..<3, using: &random) == 0 { return .null }
        if let allowed = column.allowed.randomElement(using: &random) { return allowed }
        if Bool.random(using: &random), let value = known[column.place]?.randomElement(using: &random) { return value }
        switch column.kind {
        case .integer:
            let wide = [Int64.max, .min, -1, 1 << 40]
            let isWide = column.mayBeNull && Int.random(in: 0..<4, using: &random) == 0
            return (isWide ? wide.randomElement(using: &random) : nil)?.databaseValue
                ?? Int64.random(in: 0...4, using: &random).databaseValue
        case .text:
            let texts = ["", "Grüße", "日本", "👩‍👩‍👧", "e\u{301}", "a\tb\nc\\.\"'", "\u{1}\u{7F}", "\u{10FFFF}\u{FEFF}"]
            return "\(texts.randomElement(using: &random) ?? "")\(UInt8.random(in: 0...9, using: &random))"
                .databaseValue
        case .blob:
            let count = Int.random(in: 0...40, using: &random)
            let bytes =
                count == 40 ? Array(0...255) : (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            return Data(bytes).databaseValue
        }
    }
}
