import EyotStore
import Foundation
import GRDB

/// How much room a database takes, by table.
package struct DatabaseSize: Sendable, Equatable {
    package struct Table: Sendable, Equatable {
        package var name: String
        package var rows: Int
        /// Bytes of the table and its indices; nil if this SQLite does not count pages.
        package var bytes: Int?
    }

    /// The length of the file, and of its log.
    package var fileBytes = 0
    package var logBytes = 0
    /// Bytes of the file that hold nothing. New rows use them first, and a vacuum gives them back.
    package var freeBytes = 0
    /// The largest table first.
    package var tables: [Table] = []

    /// Measures a database that another process may serve with. It reads the whole file.
    ///
    /// - Throws: ``StoreError``.
    package init(of path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else {
            throw StoreError.failed("there is no database at \(path)")
        }
        (fileBytes, logBytes) = (Self.length(path), Self.length(path + "-wal"))
        (freeBytes, tables) = try translated {
            let queue = try DatabaseQueue(path: path, configuration: DatabaseCopy.readOnly)
            defer { try? queue.close() }
            return try queue.read { database in
                let free = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
                let page = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
                return (free * page, try Self.tables(of: database))
            }
        }
    }

    private static func length(_ path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (attributes?[.size] as? NSNumber)?.intValue ?? 0
    }

    private static func tables(of database: Database) throws -> [Table] {
        let names = try String.fetchAll(
            database, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        let bytes = bytesByTable(database)
        let tables = try names.map { name in
            let rows = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \(name.quotedDatabaseIdentifier)") ?? 0
            return Table(name: name, rows: rows, bytes: bytes.map { $0[name] ?? 0 })
        }
        return tables.sorted { ($0.bytes ?? 0, $0.rows, $1.name) > ($1.bytes ?? 0, $1.rows, $0.name) }
    }

    /// Nil if SQLite was built without the table of its pages.
    private static func bytesByTable(_ database: Database) -> [String: Int]? {
        let rows = try? Row.fetchAll(
            database,
            sql: """
                SELECT m.tbl_name, SUM(s.pgsize) FROM dbstat AS s JOIN sqlite_master AS m ON m.name = s.name \
                WHERE s.aggregate = TRUE GROUP BY m.tbl_name
                """)
        return rows.map { rows in
            Dictionary(rows.map { ($0[0] as String, $0[1] as Int) }, uniquingKeysWith: +)
        }
    }
}

extension SQLiteDatabase {
    /// Writes the file anew without free pages. It needs as much room again meanwhile.
    ///
    /// - Throws: ``StoreError``.
    package func vacuum() throws {
        try translated { try writer.writeWithoutTransaction { try $0.execute(sql: "VACUUM") } }
    }
}
