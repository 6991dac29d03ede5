import EyotStore
import GRDB
import GRDBSQLite

/// A database in a file, as one side of a move.
package final class SQLiteMoveSide: MoveSide {
    private let grdb: GRDBConnection

    package var dialect: SQLDialect { .sqlite }
    package var connection: any SQLConnection { grdb }

    private init(_ database: Database) { grdb = GRDBConnection(database) }

    /// Runs the body in one transaction, and undoes it unless the body commits.
    ///
    /// - Parameters:
    ///   - path: A file that has today's tables.
    ///   - isNew: Whether the file gets its name later, so that nothing is lost if the machine loses its power.
    /// - Throws: ``StoreError``, and the errors of the body.
    package static func run<Result>(
        _ path: String, isNew: Bool = false, _ body: (SQLiteMoveSide) throws -> Result
    ) throws -> Result {
        try translated {
            let queue = try DatabaseQueue(path: path, configuration: SQLiteDatabase.configuration())
            defer { try? queue.close() }
            return try queue.writeWithoutTransaction { database in
                if isNew {
                    // Such a file has no log beside it, and is synced as a whole in the end.
                    try database.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF")
                } else {
                    try database.execute(sql: "PRAGMA synchronous = FULL")
                }
                try database.execute(sql: "BEGIN IMMEDIATE TRANSACTION")
                let result = Swift.Result { try body(SQLiteMoveSide(database)) }
                if database.isInsideTransaction { try database.rollback() }
                return try result.get()
            }
        }
    }

    package func commit() throws { try translated { try grdb.database.commit() } }

    package func forEachRow(of table: MovedTable, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        let stepped = try grdb.prepare(composed: table.selection)
        var row = RowBytes()
        while try stepped.step() {
            try stepped.read(into: &row, of: table)
            try row.bytes.withUnsafeBytes(body)
        }
    }

    package func insert(_ rows: RowBatch, into table: MovedTable) throws {
        let values = table.columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        let stepped = try grdb.prepare(
            composed: "INSERT INTO \(table.name) (\(table.columnNames)) VALUES (\(values))")
        try rows.forEachRow { row in
            do {
                try stepped.bind(row, of: table)
                _ = try stepped.step()
                stepped.reset()
            } catch StoreError.constraint(let reason) {
                throw StoreError.rowRefused(table: table.name, key: table.key(of: row), reason: reason)
            }
        }
    }

    // MARK: Numbers

    package func highestNumber(of table: MovedTable) throws -> Int64 {
        // SQLite keeps the highest number of a counted table here, and it is never below that of a row.
        try connection.rows(
            SQLStatement("SELECT seq FROM sqlite_sequence WHERE name = ?1"), [.text(table.name)]
        ) { try $0.number() }.first ?? 0
    }

    package func count(above number: Int64, in table: MovedTable) throws {
        guard try highestNumber(of: table) < number else { return }
        try connection.execute(SQLStatement("DELETE FROM sqlite_sequence WHERE name = ?1"), [.text(table.name)])
        try connection.execute(
            SQLStatement("INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)"),
            [.text(table.name), .integer(number)])
    }

    /// The tables count by themselves.
    package func raiseDrawnNumbers(of table: MovedTable) {}
}

extension SteppedStatement {
    /// Reads the columns of a table's row.
    ///
    /// - Throws: ``StoreError/rowRefused(table:key:reason:)`` for text that is not UTF-8 or has a NUL character, and
    ///   for a value of another kind than its column.
    fileprivate func read(into row: inout RowBytes, of table: MovedTable) throws {
        row.begin(columns: table.columns.count)
        var fault: String?
        for (index, column) in table.columns.enumerated() {
            let place = Int32(index)
            let kind = sqlite3_column_type(handle, place)
            switch (column.kind, kind) {
            case (_, SQLITE_NULL): row.appendNull()
            case (.integer, SQLITE_INTEGER): row.append(sqlite3_column_int64(handle, place))
            case (.text, SQLITE_TEXT):
                // The pointer must be asked for as text, before its length.
                _ = sqlite3_column_text(handle, place)
                let text = bytes(at: place)
                if fault == nil, let found = RowBytes.fault(inText: text) { fault = "\(column.name): \(found)" }
                row.append(text)
            case (.blob, SQLITE_BLOB): row.append(bytes(at: place))
            default: fault = fault ?? "\(column.name): the value is of another kind than its column"
            }
        }
        guard let fault else { return }
        let key = row.bytes.withUnsafeBytes(table.key(of:))
        throw StoreError.rowRefused(table: table.name, key: key, reason: fault)
    }

    /// Binds the values of a row.
    fileprivate func bind(_ row: UnsafeRawBufferPointer, of table: MovedTable) throws {
        try RowBytes.forEachField(of: row) { index, bytes in
            let place = Int32(index + 1)
            let result: Int32
            switch (bytes, table.columns[index].kind) {
            case (nil, _): result = sqlite3_bind_null(handle, place)
            case (let bytes?, .integer):
                guard let number = RowBytes.number(in: bytes) else {
                    throw StoreError.failed("a number has other bytes")
                }
                result = sqlite3_bind_int64(handle, place, number)
            case (let bytes?, .text):
                let text = bytes.bindMemory(to: CChar.self)
                result = sqlite3_bind_text(handle, place, text.baseAddress, Int32(bytes.count), Self.copied)
            case (let bytes?, .blob):
                // A null address would mean NULL.
                result =
                    bytes.isEmpty
                    ? sqlite3_bind_zeroblob(handle, place, 0)
                    : sqlite3_bind_blob(handle, place, bytes.baseAddress, Int32(bytes.count), Self.copied)
            }
            guard result == SQLITE_OK else { throw failure(result) }
        }
    }
}

extension MovedTable {
    /// All tables that the steps of this program make, each after those that it refers to.
    package static func all() throws -> [MovedTable] {
        try translated {
            try DatabaseQueue().write { database in
                let connection = GRDBConnection(database)
                try Schema.migrate(connection, dialect: .sqlite)
                let tables = try connection.rows(
                    SQLStatement(
                        """
                        SELECT name, sql FROM sqlite_master \
                        WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'schema_steps' ORDER BY rowid
                        """), []
                ) { row in (name: try row.text(), sql: try row.text()) }
                return try tables.map { table in
                    try MovedTable(table.name, isCounted: table.sql.contains("AUTOINCREMENT"), connection)
                }
            }
        }
    }

    private init(_ name: String, isCounted: Bool, _ connection: GRDBConnection) throws {
        let columns = try connection.rows(
            SQLStatement("SELECT name, type, pk FROM pragma_table_info(?1) ORDER BY cid"), [.text(name)]
        ) { row in (name: try row.text(), type: try row.text(), place: try row.number()) }
        let kinds: [String: SQLValue.Kind] = ["INTEGER": .integer, "TEXT": .text, "BLOB": .blob]
        self.init(
            name: name,
            columns: try columns.map { column in
                guard let kind = kinds[column.type] else { throw StoreError.failed("\(column.type) is no kind") }
                return Column(name: column.name, kind: kind)
            },
            key: columns.filter { $0.place > 0 }.sorted { $0.place < $1.place }.map(\.name), isCounted: isCounted)
    }
}
