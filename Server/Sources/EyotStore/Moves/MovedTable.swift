import EyotContract

/// A table of the schema, as a move between two databases reads and fills it.
package struct MovedTable: Sendable, Hashable {
    package struct Column: Sendable, Hashable {
        package var name: String
        package var kind: SQLValue.Kind

        package init(name: String, kind: SQLValue.Kind) { (self.name, self.kind) = (name, kind) }
    }

    package let name: String
    package let columns: [Column]
    /// The columns of the primary key, in its order.
    package let key: [String]
    /// Whether the database counts the key up, and never gives a number twice.
    package let isCounted: Bool

    package init(name: String, columns: [Column], key: [String], isCounted: Bool) {
        (self.name, self.columns, self.key, self.isCounted) = (name, columns, key, isCounted)
    }

    /// The names of the columns, with commas between.
    package var columnNames: String { columns.map(\.name).joined(separator: ", ") }

    /// The statement that selects all rows in the order of the key. Text and bytes are compared alike by all databases.
    package var selection: String { "SELECT \(columnNames) FROM \(name) ORDER BY \(key.joined(separator: ", "))" }

    /// The key of a row, for a message.
    package func key(of row: UnsafeRawBufferPointer) -> String {
        var values: [String: String] = [:]
        RowBytes.forEachField(of: row) { index, bytes in
            guard index < columns.count, key.contains(columns[index].name) else { return }
            values[columns[index].name] = bytes.map { Self.text(of: $0, columns[index].kind) } ?? "NULL"
        }
        return key.map { "\($0) = \(values[$0] ?? "?")" }.joined(separator: ", ")
    }

    private static func text(of bytes: UnsafeRawBufferPointer, _ kind: SQLValue.Kind) -> String {
        switch kind {
        case .integer: RowBytes.number(in: bytes).map(String.init) ?? "?"
        case .text: String(decoding: bytes, as: UTF8.self).debugDescription
        case .blob: "x'\(HexBytes.text(of: bytes))'"
        }
    }
}
