import EyotStore

/// A side of a move with a planted fault: it changes the rows that it gives.
final class FaultySide: MoveSide {
    enum Fault: CaseIterable {
        case lostRow, furtherByte, emptyForNull
    }

    private let side: any MoveSide
    private let fault: Fault
    private let table: String
    /// Only the reading that copies is faulty. What is read again is right.
    private var isCopying = true

    init(_ side: any MoveSide, _ fault: Fault, in table: String) {
        (self.side, self.fault, self.table) = (side, fault, table)
    }

    var dialect: SQLDialect { side.dialect }
    var connection: any SQLConnection { side.connection }
    func insert(_ rows: RowBatch, into table: MovedTable) throws { try side.insert(rows, into: table) }
    func highestNumber(of table: MovedTable) throws -> Int64 { try side.highestNumber(of: table) }
    func raiseDrawnNumbers(of table: MovedTable) throws { try side.raiseDrawnNumbers(of: table) }
    func count(above number: Int64, in table: MovedTable) throws { try side.count(above: number, in: table) }
    func commit() throws { try side.commit() }

    func forEachRow(of table: MovedTable, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        guard table.name == self.table, isCopying else { return try side.forEachRow(of: table, body) }
        isCopying = false
        var isFirst = true
        try side.forEachRow(of: table) { row in
            defer { isFirst = false }
            guard isFirst else { return try body(row) }
            var changed = RowBytes()
            changed.begin(columns: table.columns.count)
            switch fault {
            case .lostRow: return
            case .furtherByte:
                RowBytes.forEachField(of: row) { index, value in
                    var bytes = value.map { Array($0) }
                    // A byte of a text that is no key, so that it stays a text.
                    if table.columns[index].name == "audience" { bytes?.insert(UInt8(ascii: "x"), at: 0) }
                    changed.append(bytes)
                }
            case .emptyForNull:
                RowBytes.forEachField(of: row) { index, value in
                    changed.append(value.map { Array($0) } ?? (table.columns[index].kind == .text ? [] : nil))
                }
            }
            try changed.bytes.withUnsafeBytes(body)
        }
    }
}

extension RowBytes {
    fileprivate mutating func append(_ bytes: [UInt8]?) {
        guard let bytes else { return appendNull() }
        bytes.withUnsafeBytes { append($0) }
    }
}
