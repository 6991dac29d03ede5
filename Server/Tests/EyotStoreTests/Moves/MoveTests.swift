import EyotDomain
import EyotStore
import EyotTestKit
import Foundation
import GRDB
import Testing

@testable import EyotPostgres
@testable import EyotSQLite

@Suite("Moves between SQLite and PostgreSQL", .timeLimit(.minutes(10)))
struct MoveTests {
    private let folder: TemporaryFolder
    private let path: String
    private let now = Instant(second: 1_800_000_000)

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("eyot.db")
    }

    /// Runs SQL on a file behind Eyot's back.
    private func run(_ sql: String) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.write { try $0.execute(sql: sql) }
        try queue.close()
    }

    @discardableResult
    private func move(
        to url: PostgresURL, _ fault: (FaultySide.Fault, table: String)? = nil
    ) throws -> [MoveRows.Comparison] {
        try SQLiteMoveSide.run(path) { source in
            try PostgresMoveSide.run(url, isNew: true, at: now) { target in
                let source = fault.map { FaultySide(source, $0, in: $1) as any MoveSide } ?? source
                let found = try MoveRows(MovedTable.all())(from: source, to: target)
                try target.commit()
                return found
            }
        }
    }

    @discardableResult
    private func moveBack(from url: PostgresURL, to path: String) throws -> [MoveRows.Comparison] {
        try SQLiteDatabase(path: path).close()
        return try PostgresMoveSide.run(url, at: now) { source in
            try SQLiteMoveSide.run(path, isNew: true) { target in
                let found = try MoveRows(MovedTable.all())(from: source, to: target)
                try target.commit()
                return found
            }
        }
    }

    /// Counts the rows of a table that another file does not have with the same values and types.
    private func differences(of table: MovedTable, from other: String) throws -> Int? {
        let columns = table.columns.map { "typeof(\($0.name)), \($0.name)" }.joined(separator: ", ")
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.inDatabase { database in
            try database.execute(sql: "ATTACH ? AS other", arguments: [other])
            return try Int.fetchOne(
                database,
                sql: """
                    SELECT COUNT(*) FROM (SELECT \(columns) FROM main.\(table.name) \
                    EXCEPT SELECT \(columns) FROM other.\(table.name))
                    """)
        }
    }

    /// Counts the rows of a table in PostgreSQL.
    private func rows(of table: String, _ url: PostgresURL) throws -> Int64 {
        try url.onConnection {
            try $0.rows(SQLStatement(composed: "SELECT COUNT(*) FROM \(table)"), []) { try $0.number() }[0]
        }
    }

    // MARK: What is moved

    @Test func `Every table has a key, and follows those that it refers to`() throws {
        let tables = try MovedTable.all()
        #expect(tables.count > 40)
        #expect(tables.allSatisfy { !$0.key.isEmpty })
        #expect(tables.allSatisfy { !$0.isCounted || $0.key.count == 1 })
        #expect(tables.first { $0.name == "events" }?.isCounted == true)
        #expect(!tables.contains { $0.name == "schema_steps" })
    }

    @Test func `Every value of every table goes to PostgreSQL and comes back`() async throws {
        let filled = try FilledDatabase.make(path)
        let url = try await TestPostgres.shared.emptyDatabase()
        let there = try move(to: url)
        #expect(there.map(\.table) == filled.map(\.name))
        #expect(there.allSatisfy { $0.source == $0.target && $0.source.rows >= FilledDatabase.least })
        let back = folder.path("back.db")
        let returned = try moveBack(from: url, to: back)
        #expect(returned.map(\.source) == there.map(\.source))
        // Without the code of moves: SQLite compares both files.
        for table in filled { #expect(try differences(of: table, from: back) == 0, "\(table.name)") }
        // Servers open both.
        #expect(try PostgresDatabase(url).schema == Schema.version)
        try SQLiteDatabase(path: back).close()
    }

    @Test func `More rows than a batch has arrive, and so does a row that is larger than a batch`() async throws {
        try SQLiteDatabase(path: path).close()
        let count = 3 * RowBatch.rowLimit + 1
        try run(
            """
            INSERT INTO apps (id, created_at, bundle_id, name, public_key, halted_types, opens_activities) \
            VALUES (1, 0, 'b', 'n', 'k', '{}', 0);
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) \
            INSERT INTO users (app, external_id, attributes) SELECT 1, 'user-' || i, '{}' FROM n;
            UPDATE users SET attributes = '"' || hex(zeroblob(\(RowBatch.byteLimit))) || '"' WHERE external_id = 'user-7';
            """)
        let url = try await TestPostgres.shared.emptyDatabase()
        let there = try move(to: url)
        #expect(there.first { $0.table == "users" }?.target.rows == count)
        let returned = try moveBack(from: url, to: folder.path("back.db"))
        #expect(returned.map(\.source) == there.map(\.source))
    }

    // MARK: Numbers

    @Test func `Numbers go on above all that were given, also above those of removed rows`() async throws {
        let store = SQLiteStore(try SQLiteDatabase(path: path))
        let app = try await store.write { ledger in
            let first = try ledger.insertApp(bundleID: "a", name: "n", publicKey: "a", at: now).id
            for number in 1...5 { try ledger.record(Event(app: first, at: Instant(second: number), Fact(.cardEnded))) }
            return first
        }
        try await store.close()
        // The newest rows go, as by a removal. A far number stands for a store that has counted for years.
        try run(
            """
            INSERT INTO apps (id, created_at, bundle_id, name, public_key, halted_types, opens_activities) \
            VALUES (90, 0, 'b', 'n', 'k', '{}', 0);
            DELETE FROM apps WHERE id = 90;
            DELETE FROM events WHERE id = 5;
            UPDATE sqlite_sequence SET seq = \(1 << 50) WHERE name = 'events';
            """)
        let url = try await TestPostgres.shared.emptyDatabase()
        try move(to: url)
        let postgres = PostgresStore(try PostgresDatabase(url))
        let there = try await postgres.write { ledger in
            try ledger.record(Event(app: app, at: Instant(second: 9), Fact(.cardEnded)))
            return try ledger.insertApp(bundleID: "c", name: "n", publicKey: "c", at: now).id.rawValue
        }
        #expect(there == 91)
        var events: [Event] = []
        // Readers see it when all earlier transactions of the server have ended, also those of other databases.
        while events.count < 5 {
            try Task.checkCancellation()
            events = try await postgres.read { try $0.events(of: app, about: .app, after: 0, limit: 10) }
        }
        #expect(events.map(\.at.second) == [1, 2, 3, 4, 9])
        let newest = try #require(events.last?.id)
        #expect(newest > 1 << 50)
        // A reader's cursor stays valid.
        let further = try await postgres.read { try $0.events(of: app, about: .app, after: 1 << 50, limit: 10) }
        #expect(further.map(\.id) == [newest])
        try await postgres.write { ledger in
            try ledger.record(Event(app: app, at: Instant(second: 10), Fact(.cardEnded)))
            _ = try ledger.removeEvents(before: Instant(second: 11), limit: 10)
        }
        await postgres.close()
        try moveBack(from: url, to: folder.path("back.db"))
        let back = try SQLiteDatabase(path: folder.path("back.db"))
        let found = try back.write { ledger in
            try ledger.record(Event(app: app, at: Instant(second: 12), Fact(.cardEnded)))
            let id = try ledger.insertApp(bundleID: "d", name: "n", publicKey: "d", at: now).id.rawValue
            return (id, try ledger.events(of: app, about: .app, after: newest, limit: 10).map(\.at.second))
        }
        #expect(found.0 == 92)
        #expect(found.1 == [12])
        try back.close()
    }

    // MARK: Faults

    @Test(arguments: FaultySide.Fault.allCases)
    func `A fault of a copy shows in the digests, and undoes it`(_ fault: FaultySide.Fault) async throws {
        try FilledDatabase.make(path)
        try run("UPDATE api_keys SET identifier = NULL")
        let table = fault == .emptyForNull ? "api_keys" : "segments"
        let url = try await TestPostgres.shared.emptyDatabase()
        let error = try #require(throws: MoveFault.self) { try move(to: url, (fault, table)) }
        #expect(error.code == .digestsDiffer)
        #expect(error.description.contains(table))
        #expect(try rows(of: "apps", url) == 0)
        // The same place takes the next copy.
        try move(to: url)
    }

    @Test(arguments: [("4100", "NUL"), ("41FF", "UTF-8"), ("EDA080", "UTF-8")])
    func `Text that PostgreSQL cannot keep is refused with its table, column and key`(
        _ bytes: String, _ reason: String
    ) async throws {
        try FilledDatabase.make(path)
        try run("UPDATE apps SET name = CAST(x'\(bytes)' AS TEXT) WHERE id = (SELECT MAX(id) FROM apps)")
        let url = try await TestPostgres.shared.emptyDatabase()
        let error = try #require(throws: StoreError.self) { try move(to: url) }
        guard case .rowRefused("apps", let key, let found) = error else { throw error }
        #expect(key.hasPrefix("id = "))
        #expect(found.hasPrefix("name: ") && found.contains(reason))
        #expect(try rows(of: "apps", url) == 0)
    }

    @Test func `A value that PostgreSQL cannot index is refused with its table and key`() async throws {
        try FilledDatabase.make(path)
        let name = (0..<4_000).map { _ in "\(UInt8.random(in: 0...9))" }.joined()
        try run("INSERT INTO segments (app, name, audience, updated_at) SELECT id, '\(name)', '', 1 FROM apps LIMIT 1")
        let url = try await TestPostgres.shared.emptyDatabase()
        let error = try #require(throws: StoreError.self) { try move(to: url) }
        guard case .rowRefused("segments", let key, _) = error else { throw error }
        #expect(key.contains(name.prefix(100)))
        #expect(try rows(of: "apps", url) == 0)
    }

    @Test func `A database with rows is refused, and stays as it is`() async throws {
        try FilledDatabase.make(path)
        let url = try await TestPostgres.shared.database()
        try PostgresDatabase(url).write {
            _ = try $0.insertApp(bundleID: "b", name: "n", publicKey: "k", at: now)
        }
        let error = try #require(throws: MoveFault.self) { try move(to: url) }
        #expect(error.code == .targetNotEmpty)
        #expect(try rows(of: "apps", url) == 1)
    }

    // MARK: Databases in use

    @Test func `A database that a server has a session or a lease of is refused`() async throws {
        try FilledDatabase.make(path)
        let url = try await TestPostgres.shared.database()
        let session = PostgresConnection(url, application: PostgresDatabase.application)
        try session.connected()
        let used = try #require(throws: StoreError.self) { try move(to: url) }
        #expect("\(used)".hasPrefix("databaseInUse: a session of eyot"))
        try session.execute(
            SQLStatement(
                composed: """
                    INSERT INTO node_leases (shard, owner, epoch, renewed_at, ends_at) \
                    VALUES (0, 'node', 1, 0, \((now + 10).microseconds))
                    """), [])
        session.close()
        // The server ends a session a little later than its client.
        var leased = "\(used)"
        while leased.contains("a session") {
            leased = "\(try #require(throws: StoreError.self) { try move(to: url) })"
        }
        #expect(leased.contains("the lease of a server"))
        #expect(leased.contains("11 seconds"))
    }

    @Test func `A transaction under way is waited for, and no server writes during a move`() async throws {
        let url = try await TestPostgres.shared.database()
        let store = PostgresStore(try PostgresDatabase(url, application: "test"))
        try await store.write { _ = try $0.insertApp(bundleID: "a", name: "n", publicKey: "a", at: now) }
        try SQLiteDatabase(path: path).close()
        let written = try PostgresMoveSide.run(url, at: now) { source in
            let written = Task {
                try await store.write { _ = try $0.insertApp(bundleID: "b", name: "n", publicKey: "b", at: now) }
            }
            let watcher = PostgresConnection(url, application: "watcher")
            try watcher.connected()
            let waiting = SQLStatement(
                "SELECT COUNT(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()")
            while try watcher.rows(waiting, [], { try $0.number() }) == [0] {}
            watcher.close()
            try SQLiteMoveSide.run(path, isNew: true) { target in
                let found = try MoveRows(MovedTable.all())(from: source, to: target)
                #expect(found.first { $0.table == "apps" }?.source.rows == 1)
            }
            return written
        }
        try await written.value
        await store.close()
        #expect(try rows(of: "apps", url) == 2)
    }

    // MARK: Marks

    @Test func `A database that was moved away opens for no program, until its mark goes`() async throws {
        let url = try await TestPostgres.shared.database()
        try SQLiteDatabase(path: path).close()
        let mark = MoveMark(id: "1", .to, "postgres://db/eyot", at: now)
        func onBoth(_ body: (any MoveSide) throws -> Void) throws {
            try SQLiteMoveSide.run(path) { side in
                try body(side)
                try side.commit()
            }
            try PostgresMoveSide.run(url, at: now) { side in
                try body(side)
                try side.commit()
            }
        }
        try onBoth { try mark.insert(on: $0) }
        let openings: [() throws -> Void] = [
            { try SQLiteDatabase(path: path).close() }, { _ = try SQLiteDatabase.plan(path: path) },
            { _ = try PostgresDatabase(url) }, { _ = try PostgresDatabase.plan(url) },
        ]
        for opening in openings {
            let error = try #require(throws: StoreError.self) { try opening() }
            #expect(error.kind == "moved")
            #expect("\(error)".contains("postgres://db/eyot at 2027-01-15"))
        }
        try onBoth { side in
            #expect(try MoveMark.newest(.to, on: side.connection, side.dialect) == mark)
            #expect(try MoveMark.newest(.from, on: side.connection, side.dialect) == nil)
            try MoveMark.removeAway(on: side)
        }
        for opening in openings { try opening() }
    }
}
