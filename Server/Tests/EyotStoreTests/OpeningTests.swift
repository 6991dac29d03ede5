import EyotDomain
import EyotStore
import EyotTestKit
import Foundation
import GRDB
import Testing

@testable import EyotSQLite

@Suite("Opening the database")
struct OpeningTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("eyot.db")
    }

    @Test func `An empty file gets the tables, and a second start finds them and the rows`() throws {
        let first = try SQLiteDatabase(path: path)
        let app = try first.write {
            try $0.insertApp(bundleID: "b", name: "n", publicKey: "k", at: Instant(second: 1))
        }
        try first.close()
        let second = try SQLiteDatabase(path: path)
        #expect(try second.read { try $0.apps() } == [app])
        #expect(try steps(of: second).count == Schema.version)
    }

    @Test func `A database of a newer program is refused and left as it is`() throws {
        let (known, found) = (Schema.version, Schema.version + 1)
        let database = try SQLiteDatabase(path: path)
        try database.writer.write { database in
            try database.execute(
                sql: "INSERT INTO schema_steps VALUES (\(found), 'of tomorrow', 'hash', \(found), NULL)")
        }
        try database.close()
        #expect(throws: StoreError.schemaNewer(found: found, known: known, worksSince: found)) {
            try SQLiteDatabase(path: path)
        }
        let left = try DatabaseQueue(path: path).read { try String.fetchAll($0, sql: "SELECT name FROM schema_steps") }
        #expect(left.last == "of tomorrow")
    }

    @Test func `A database whose history is another one's is refused`() throws {
        let database = try SQLiteDatabase(path: path)
        try database.writer.write { try $0.execute(sql: "UPDATE schema_steps SET name = 'other' WHERE step = 1") }
        try database.close()
        let difference = SchemaDifference.name(step: 1, found: "other", expected: "first tables")
        #expect(throws: StoreError.schemaForeign(difference)) { try SQLiteDatabase(path: path) }
    }

    @Test func `What is to read and writes in spite of it fails, in a file and in memory`() throws {
        for database in [try SQLiteDatabase(path: path), try SQLiteDatabase()] {
            let write = { (ledger: any Ledger) in
                _ = try ledger.insertApp(bundleID: "b", name: "n", publicKey: "k", at: Instant(second: 1))
            }
            #expect(throws: StoreError.self) { try database.read(write) }
            #expect(throws: (any Error).self) {
                try database.read {
                    try write($0)
                    throw CancellationError()
                }
            }
            #expect(try database.read { try $0.apps() } == [])
        }
    }

    @Test func `A folder that is not there is named`() throws {
        let error = #expect(throws: StoreError.self) { try SQLiteDatabase(path: folder.path("missing/eyot.db")) }
        #expect(error?.description.contains("missing/eyot.db") == true)
    }

    @Test func `A new file has small pages, and a former one keeps its own`() throws {
        try Data().write(to: URL(fileURLWithPath: path))
        let former = folder.path("former.db")
        try DatabaseQueue(path: former).write { try $0.execute(sql: "CREATE TABLE first (id INTEGER)") }
        try DatabaseQueue(path: former).write { try $0.execute(sql: "DROP TABLE first") }
        for (path, size) in [(path, SQLiteDatabase.pageSize), (former, 4_096)] {
            let database = try SQLiteDatabase(path: path)
            let app = try database.write {
                try $0.insertApp(bundleID: "b", name: "n", publicKey: "k", at: Instant(second: 1))
            }
            #expect(try database.writer.read { try Int.fetchOne($0, sql: "PRAGMA page_size") } == size)
            try database.close()
            let copy = path + ".copy"
            #expect(try DatabaseCopy.write(path, to: copy).faults == [])
            #expect(try DatabaseCopy.read(copy) { try $0.apps() } == [app])
        }
    }

    @Test func `The writer waits for the disk, keeps foreign keys and a log`() throws {
        let database = try SQLiteDatabase(path: path)
        let settings = try database.writer.writeWithoutTransaction { database in
            try ["synchronous", "foreign_keys", "journal_mode"].map {
                try String.fetchOne(database, sql: "PRAGMA \($0)")
            }
        }
        #expect(settings == ["2", "1", "wal"])
    }

    @Test func `A setting that the pool has put back is found out when it is read`() throws {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        let pool = try DatabasePool(path: path, configuration: configuration)
        #expect(throws: StoreError.notDurable(setting: "synchronous", found: "NORMAL")) {
            try pool.writeWithoutTransaction(SQLiteDatabase.requireDurability)
        }
        let queue = try DatabaseQueue(path: folder.path("other.db"))
        #expect(throws: StoreError.notDurable(setting: "journal_mode", found: "delete")) {
            try queue.writeWithoutTransaction(SQLiteDatabase.requireDurability)
        }
    }

    @Test func `The files are readable for their owner alone`() throws {
        let database = try SQLiteDatabase(path: path)
        for file in [path, path + "-wal", path + "-shm"] {
            let permissions = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber
            #expect(permissions?.intValue == 0o600, "\(file)")
        }
        try database.close()
    }

    @Test func `A read sees one moment, whatever is written meanwhile`() async throws {
        let store = SQLiteStore(try SQLiteDatabase(path: path))
        let (entered, enter) = AsyncStream.makeStream(of: Void.self)
        let release = DispatchSemaphore(value: 0)
        async let counts = store.read { ledger in
            let before = try ledger.apps().count
            enter.yield()
            release.wait()
            return [before, try ledger.apps().count]
        }
        for await _ in entered { break }
        try await store.write { _ = try $0.insertApp(bundleID: "b", name: "n", publicKey: "k", at: Instant(second: 1)) }
        release.signal()
        #expect(try await counts == [0, 0])
        #expect(try await store.read { try $0.apps().count } == 1)
        try await store.close()
    }

    private func steps(of database: SQLiteDatabase) throws -> [String] {
        try database.writer.read { try String.fetchAll($0, sql: "SELECT name FROM schema_steps ORDER BY step") }
    }
}
