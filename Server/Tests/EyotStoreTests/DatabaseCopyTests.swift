import EyotDomain
import EyotStore
import Foundation
import GRDB
import Testing

@testable import EyotSQLite

@Suite("Copies of a database")
struct DatabaseCopyTests {
    private let folder: TemporaryFolder
    private let path: String
    private let copy: String

    init() throws {
        folder = try TemporaryFolder()
        (path, copy) = (folder.path("eyot.db"), folder.path("copy.db"))
    }

    private func mode(_ path: String) throws -> Int? {
        (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue
    }

    @Test func `A copy beside an open writer has all that was committed, in one private file`() throws {
        let database = try SQLiteDatabase(path: path)
        let app = try database.write {
            try $0.insertApp(bundleID: "b", name: "n", publicKey: "k", at: Instant(second: 1))
        }
        let report = try DatabaseCopy.write(path, to: copy)
        #expect(report.faults.isEmpty)
        #expect(report.schema == Schema.version)
        #expect(try mode(copy) == 0o600)
        #expect(try DatabaseCopy.read(copy) { try $0.apps() } == [app])
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(files.filter { $0.hasPrefix("copy.db") } == ["copy.db"])
        try database.close()
        // Opened as a database of its own, it takes writes again.
        let opened = try SQLiteDatabase(path: copy)
        #expect(try opened.read { try $0.apps() } == [app])
        try opened.close()
    }

    @Test func `A file that exists is not replaced, and nothing is left beside it`() throws {
        try SQLiteDatabase(path: path).close()
        try Data("mine".utf8).write(to: URL(fileURLWithPath: copy))
        #expect(throws: StoreError.self) { try DatabaseCopy.write(path, to: copy) }
        #expect(try String(contentsOfFile: copy, encoding: .utf8) == "mine")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!files.contains { $0.hasSuffix(".partial") })
        #expect(throws: StoreError.self) { try DatabaseCopy.write(folder.path("none.db"), to: folder.path("two.db")) }
        #expect(!FileManager.default.fileExists(atPath: folder.path("two.db")))
    }

    @Test func `A broken page is found, and neither copied nor called well`() throws {
        let database = try SQLiteDatabase(path: path)
        try database.write { ledger in
            for number in 1...200 {
                _ = try ledger.insertApp(
                    bundleID: "b\(number)", name: "n", publicKey: "k\(number)", at: Instant(second: 1))
            }
        }
        try database.close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        // The root of an index of apps. Its cells then point nowhere.
        let root = try DatabaseQueue(path: path).read {
            try Int.fetchOne(
                $0, sql: "SELECT rootpage FROM sqlite_master WHERE type = 'index' AND tbl_name = 'apps' LIMIT 1")
        }
        let start = (try #require(root) - 1) * SQLiteDatabase.pageSize
        for offset in 8..<64 { bytes[start + offset] = 0xff }
        try bytes.write(to: URL(fileURLWithPath: path))
        // SQLite reports a broken page as a fault, or refuses to read on.
        let faults = try? DatabaseCopy.check(path).faults
        #expect(faults?.isEmpty != true)
        #expect(throws: StoreError.self) { try DatabaseCopy.write(path, to: copy) }
        #expect(!FileManager.default.fileExists(atPath: copy))
    }

    @Test func `A database with rows in every table is copied and checked without a fault`() throws {
        try FilledDatabase.make(path)
        let report = try DatabaseCopy.write(path, to: copy)
        #expect(report.faults == [])
        #expect(report.remarks == [], "SQLite's check finds nothing to claim either")
    }

    @Test func `A claim of SQLite's check that a read does not confirm forbids no copy`() throws {
        // Such as every database with an alias was before its table got another order.
        try SQLiteDatabase(path: path).close()
        try run(
            """
            CREATE TABLE claimed (a INTEGER NOT NULL, b TEXT NOT NULL, c TEXT NOT NULL, PRIMARY KEY (a, c)) \
            STRICT, WITHOUT ROWID;
            """)
        try run("INSERT INTO claimed VALUES " + (1...50).map { "(\($0), 'b', 'c')" }.joined(separator: ", "))
        let report = try DatabaseCopy.write(path, to: copy)
        #expect(report.faults == [])
        #expect(report.remarks.allSatisfy { $0.contains("All rows of claimed were read") })
        #expect(report.remarks.count <= 1)
    }

    @Test func `A value that its table forbids is a fault`() throws {
        try SQLiteDatabase(path: path).close()
        try run("CREATE TABLE odd (a INTEGER PRIMARY KEY, b TEXT) STRICT; INSERT INTO odd VALUES (1, 'b'), (2, NULL)")
        try run(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = replace(sql, 'b TEXT', 'b TEXT NOT NULL CHECK (b <> ''b'')') WHERE name = 'odd';
            """)
        let faults = try DatabaseCopy.check(path).faults
        #expect(faults.count == 1)
        #expect(faults.first?.contains("odd") == true)
        #expect(throws: StoreError.self) { try DatabaseCopy.write(path, to: copy) }
    }

    /// Runs SQL on the file behind Eyot's back.
    private func run(_ sql: String) throws {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    @Test func `Another program's file is refused, and a newer schema is named`() throws {
        try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE t (a)") }
        #expect(throws: StoreError.self) { try DatabaseCopy.check(path) }
        try SQLiteDatabase(path: copy).close()
        try DatabaseQueue(path: copy).write { database in
            try database.execute(
                sql: "INSERT INTO schema_steps (step, name) VALUES (\(Schema.version + 1), 'of tomorrow')")
        }
        #expect(
            throws: StoreError.schemaNewer(
                found: Schema.version + 1, known: Schema.version, worksSince: Schema.version + 1)
        ) {
            try DatabaseCopy.check(copy)
        }
    }

    @Test func `The size of each table is counted, and a vacuum gives free room back`() throws {
        let database = try SQLiteDatabase(path: path)
        try database.write { ledger in
            for number in 1...3_000 {
                _ = try ledger.insertApp(
                    bundleID: "b\(number)", name: "n", publicKey: "k\(number)", at: Instant(second: 1))
            }
        }
        #expect(try database.read { try $0.apps().count } == 3_000)
        try database.writer.writeWithoutTransaction { try $0.execute(sql: "DELETE FROM apps WHERE id > 10") }
        try database.close()
        let before = try DatabaseSize(of: path)
        let apps = try #require(before.tables.first { $0.name == "apps" })
        #expect(apps.rows == 10)
        #expect(apps.bytes.map { $0 > 0 } ?? true)
        #expect(before.freeBytes > 100_000)
        let opened = try SQLiteDatabase(path: path)
        try opened.vacuum()
        try opened.close()
        let after = try DatabaseSize(of: path)
        #expect(after.freeBytes == 0)
        #expect(after.fileBytes < before.fileBytes)
    }

    @Test func `A database closes at once while another process reads it, and loses nothing`() throws {
        let database = try SQLiteDatabase(path: path)
        // The reader keeps the state of now for as long as its transaction lasts, as Litestream does.
        let reader = try DatabaseQueue(path: path, configuration: DatabaseCopy.readOnly)
        try reader.inDatabase { connection in
            try connection.execute(sql: "BEGIN; SELECT COUNT(*) FROM apps")
            _ = try Int.fetchOne(connection, sql: "SELECT COUNT(*) FROM apps")
            try database.write {
                _ = try $0.insertApp(bundleID: "b", name: "n", publicKey: "k", at: Instant(second: 1))
            }
            let began = ContinuousClock.now
            try database.close()
            #expect(began.duration(to: .now) < .seconds(SQLiteDatabase.busyTimeout - 1))
            try connection.execute(sql: "COMMIT")
        }
        try reader.close()
        let second = try SQLiteDatabase(path: path)
        #expect(try second.read { try $0.apps().count } == 1)
        try second.close()
    }
}
