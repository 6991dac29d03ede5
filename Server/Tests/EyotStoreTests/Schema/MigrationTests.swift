import EyotDomain
import EyotStore
import EyotTestKit
import Foundation
import GRDB
import Testing

@testable import EyotSQLite

/// Programs and databases of different versions.
@Suite("Migrations")
struct MigrationTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("eyot.db")
    }

    /// A program with the steps of this one and further ones.
    private static func program(_ further: Schema.Migration...) -> SchemaMigrator {
        SchemaMigrator(steps: Schema.migrations + further, dialect: .sqlite)
    }

    private static let table = Schema.Migration(name: "a table", worksSince: Schema.version) { _ in
        ["CREATE TABLE further (id INTEGER NOT NULL PRIMARY KEY) STRICT"]
    }

    /// A step that locks older programs out.
    private static let breaking = Schema.Migration(name: "another table") { _ in
        ["CREATE TABLE further (id INTEGER NOT NULL PRIMARY KEY) STRICT"]
    }

    /// A step with work on each app: it copies the name, and counts how often it has seen the app.
    private static let filling = Schema.Migration(
        name: "a filled column", worksSince: Schema.version,
        fill: SchemaFill(
            table: "apps", key: "id",
            statements: ["UPDATE apps SET copied = name, seen = seen + 1 WHERE id > ?1 AND id <= ?2"])
    ) { _ in
        ["ALTER TABLE apps ADD COLUMN copied TEXT", "ALTER TABLE apps ADD COLUMN seen INTEGER NOT NULL DEFAULT 0"]
    }

    @discardableResult
    private func open(
        _ program: SchemaMigrator = .sqlite, report: (SchemaProgress) -> Void = { _ in }
    ) throws -> Int {
        let database = try SQLiteDatabase(path: path, folding: FoldLimits(), migrator: program, report: report)
        try database.close()
        return database.schema
    }

    /// Runs SQL on the file behind Eyot's back.
    private func run(_ sql: String) throws { try DatabaseQueue(path: path).write { try $0.execute(sql: sql) } }

    private func fillApps(_ count: Int) throws {
        let database = try SQLiteDatabase(path: path)
        try database.write { ledger in
            for number in 1...count {
                _ = try ledger.insertApp(
                    bundleID: "b\(number)", name: "n\(number)", publicKey: "k\(number)", at: Instant(second: 1))
            }
        }
        try database.close()
    }

    private func rows(_ sql: String) throws -> [String] {
        try DatabaseQueue(path: path).read { try String.fetchAll($0, sql: sql) }
    }

    @Test func `An older program works with a newer database that says so, and tells its version`() throws {
        #expect(try open(Self.program(Self.table)) == Schema.version + 1)
        #expect(try open() == Schema.version + 1)
        let database = try SQLiteDatabase(path: path)
        _ = try database.write { try $0.insertApp(bundleID: "b", name: "n", publicKey: "k", at: Instant(second: 1)) }
        #expect(SQLiteStore(database).health.schema == Schema.version + 1)
        try database.close()
    }

    @Test func `An older program refuses a newer database that locks it out, and says which program to run`() throws {
        try open(Self.program(Self.breaking))
        let error = #expect(throws: StoreError.self) { try open() }
        let newer = Schema.version + 1
        #expect(error == .schemaNewer(found: newer, known: Schema.version, worksSince: newer))
        #expect(error?.description.hasPrefix("schemaNewer: ") == true)
    }

    @Test func `Another text of a step is foreign, and the step is named`() throws {
        try open(Self.program(Self.table))
        let other = Schema.Migration(name: "a table") { _ in ["CREATE TABLE further (id INTEGER) STRICT"] }
        let step = Schema.version + 1
        #expect(throws: StoreError.schemaForeign(.text(step: step, name: "a table"))) { try open(Self.program(other)) }
    }

    @Test(
        "Tables that the steps did not make are foreign",
        arguments: [
            ("ALTER TABLE apps ADD COLUMN more TEXT", SchemaDifference.changed("apps")),
            ("DROP TABLE webhooks", .missing("webhooks")), ("DROP INDEX api_keys_by_app", .missing("api_keys_by_app")),
        ])
    func foreign(_ sql: String, _ difference: SchemaDifference) throws {
        try open()
        try run(sql)
        #expect(throws: StoreError.schemaForeign(difference)) { try open() }
        #expect(throws: StoreError.schemaForeign(difference)) { try SQLiteDatabase.plan(path: path) }
    }

    @Test func `A database of another program is foreign, and gets no tables`() throws {
        try run("CREATE TABLE notes (text TEXT)")
        #expect(throws: StoreError.schemaForeign(.otherTables("notes"))) { try open() }
        #expect(try rows("SELECT name FROM sqlite_master") == ["notes"])
    }

    @Test func `The tables of a backup program are no fault, in a new database and in an old one`() throws {
        try run("CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)")
        try open()
        try run("CREATE INDEX by_hand ON apps (name)")
        #expect(try open() == Schema.version)
    }

    @Test func `A database of 0.1.0 gets hashes, once its tables are found to be the same`() throws {
        try fillApps(2)
        for column in ["hash", "works_since", "place"] { try run("ALTER TABLE schema_steps DROP COLUMN \(column)") }
        let plan = try SQLiteDatabase.plan(path: path)
        #expect((plan.found, plan.pending, plan.recordsHashes) == (Schema.version, [], true))
        try run("ALTER TABLE apps RENAME COLUMN name TO title")
        #expect(throws: StoreError.schemaForeign(.changed("apps"))) { try open() }
        try run("ALTER TABLE apps RENAME COLUMN title TO name")
        #expect(try open() == Schema.version)
        #expect(
            try rows("SELECT hash FROM schema_steps ORDER BY step") == Schema.migrations.map { $0.hash(in: .sqlite) })
        #expect(try SQLiteDatabase.plan(path: path).recordsHashes == false)
        #expect(try rows("SELECT name FROM apps ORDER BY id") == ["n1", "n2"])
    }

    @Test func `A first transaction whose process died is undone, also by a plan`() throws {
        let dying = path + ".dying"
        try DatabaseQueue(path: dying).writeWithoutTransaction { database in
            // With so small a cache the journal and the changed pages are on the disk before the commit.
            try database.execute(
                sql: """
                    PRAGMA cache_size = 1; BEGIN IMMEDIATE; CREATE TABLE notes (text BLOB);
                    INSERT INTO notes WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
                        SELECT randomblob(1000) FROM n
                    """)
            for suffix in ["", "-journal"] {
                try FileManager.default.copyItem(atPath: dying + suffix, toPath: path + suffix)
            }
            try database.execute(sql: "ROLLBACK")
        }
        #expect(try SQLiteDatabase.plan(path: path).found == 0)
        #expect(try open() == Schema.version)
    }

    @Test func `A plan changes nothing, and says what is to be done and whether a server can go on`() throws {
        #expect(try SQLiteDatabase.plan(path: path).pending.count == Schema.version)
        #expect(!FileManager.default.fileExists(atPath: path))
        try open()
        let plan = try SQLiteDatabase.plan(path: path, by: Self.program(Self.filling))
        #expect(plan.pending.map(\.name) == ["a filled column"])
        #expect(plan.isOnline)
        #expect(try !SQLiteDatabase.plan(path: path, by: Self.program(Self.breaking)).isOnline)
        #expect(try rows("SELECT name FROM schema_steps").count == Schema.version)
    }

    @Test func `A fill that stops half way goes on where it was, and sees each row once`() throws {
        try fillApps(40)
        let program = Self.program(Self.filling)
        // Two batches of sixteen, and then the process is gone.
        let pool = try DatabasePool(path: path)
        for _ in 1...3 { _ = try pool.write { try program.advance(GRDBConnection($0), rows: 16) } }
        try pool.close()
        #expect(try rows("SELECT CAST(place AS TEXT) FROM schema_steps WHERE place IS NOT NULL") == ["32"])
        #expect(try rows("SELECT copied FROM apps WHERE copied IS NOT NULL").count == 32)
        let plan = try SQLiteDatabase.plan(path: path, by: program)
        #expect(plan.pending.map(\.place) == [32])
        var seen: [SchemaProgress] = []
        #expect(try open(program) { seen.append($0) } == Schema.version + 1)
        #expect(seen.map(\.fill?.place) == [40, nil])
        #expect(try rows("SELECT copied FROM apps ORDER BY id") == (1...40).map { "n\($0)" })
        #expect(try rows("SELECT DISTINCT CAST(seen AS TEXT) FROM apps") == ["1"])
        #expect(try open(program) { _ in Issue.record("nothing is left") } == Schema.version + 1)
    }

    @Test func `A step that a newer program has not finished is refused by an older one, and is left`() throws {
        try fillApps(2)
        let pool = try DatabasePool(path: path)
        _ = try pool.write { try Self.program(Self.filling).advance(GRDBConnection($0), rows: 1) }
        try pool.close()
        let step = Schema.version + 1
        #expect(throws: StoreError.schemaUnfinished(step: step, name: "a filled column")) { try open() }
        #expect(try open(Self.program(Self.filling)) == step)
        #expect(try open() == step)
    }

    @Test func `A step that fails leaves nothing, and those before it stay`() throws {
        try open()
        let bad = Schema.Migration(name: "bad") { _ in
            ["CREATE TABLE half (id INTEGER) STRICT", "CREATE TABLE half (a)"]
        }
        #expect(throws: StoreError.self) { try open(Self.program(Self.table, bad)) }
        #expect(try rows("SELECT name FROM schema_steps").count == Schema.version + 1)
        #expect(try rows("SELECT name FROM sqlite_master WHERE name = 'half'") == [])
        #expect(try open(Self.program(Self.table)) == Schema.version + 1)
    }

    @Test func `Batches follow the time that they take`() {
        var batch = BatchSize()
        batch.adapt(to: .milliseconds(1))
        #expect(batch.rows == 1_000)
        batch.adapt(to: .milliseconds(30))
        #expect(batch.rows == 1_000)
        for _ in 1...20 { batch.adapt(to: .milliseconds(60)) }
        #expect(batch.rows == BatchSize.bounds.lowerBound)
        for _ in 1...20 { batch.adapt(to: .zero) }
        #expect(batch.rows == BatchSize.bounds.upperBound)
    }
}
