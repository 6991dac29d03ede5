import Crypto
import EyotContract

/// The number of a table's rows, and the SHA-256 over all of them.
///
/// The hash reads the rows in the order of the primary key, each in the form of ``RowBytes``. So it is the same for the
/// same rows in all kinds of database.
package struct TableDigest: Sendable, Hashable {
    package var rows: Int
    /// 64 hexadecimal digits.
    package var sha256: String

    /// Reads the whole table.
    package init(of table: MovedTable, in side: any MoveSide) throws {
        var (hash, rows) = (SHA256(), 0)
        try side.forEachRow(of: table) { row in
            hash.update(bufferPointer: row)
            rows += 1
        }
        (self.rows, sha256) = (rows, HexBytes.text(of: hash.finalize()))
    }
}
