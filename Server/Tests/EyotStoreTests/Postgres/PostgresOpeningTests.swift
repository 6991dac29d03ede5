import EyotDomain
import EyotLab
import EyotStore
import EyotTestKit
import Foundation
import Testing

@testable import EyotPostgres

@Suite("Opening a database of PostgreSQL", .timeLimit(.minutes(10)))
struct PostgresOpeningTests {
    @Test func `An empty database gets today's tables, and a second opening changes nothing`() async throws {
        let url = try await TestPostgres.shared.emptyDatabase()
        #expect(try PostgresDatabase.plan(url).pending.count == PostgresDatabase.schemaVersion)
        var steps = 0
        let database = try PostgresDatabase(url) { _ in steps += 1 }
        #expect(database.schema == PostgresDatabase.schemaVersion)
        #expect(steps == PostgresDatabase.schemaVersion)
        _ = try PostgresDatabase(url) { _ in Issue.record("a step was taken again") }
        #expect(try PostgresDatabase.plan(url).pending.isEmpty)
    }

    @Test func `Of several processes that open an empty database one makes the tables`() async throws {
        let url = try await TestPostgres.shared.emptyDatabase()
        let schemas = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 { group.addTask { try PostgresDatabase(url).schema } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(schemas == Array(repeating: PostgresDatabase.schemaVersion, count: 4))
    }

    @Test func `A process that comes between two steps of another leaves no index out`() async throws {
        let (url, straight) = (
            try await TestPostgres.shared.emptyDatabase(), try await TestPostgres.shared.emptyDatabase()
        )
        _ = try PostgresDatabase(straight)
        try url.onConnection { connection in
            var migrator = SchemaMigrator.postgres
            try migrator.completeHistory(connection)
            // Each second step is one of a process that found tables, and makes indices when the steps are done.
            while try migrator.advance(connection, rows: 5_000) != nil { migrator.leavesIndices.toggle() }
        }
        _ = try PostgresDatabase(url)
        #expect(try Self.indices(url) == Self.indices(straight))
    }

    private static func indices(_ url: PostgresURL) throws -> [String] {
        let statement = "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY indexname"
        return try url.onConnection { try $0.rows(SQLStatement(composed: statement), []) { try $0.text() } }
    }

    @Test func `A database of another program is refused by name`() async throws {
        let url = try await TestPostgres.shared.database()
        let connection = PostgresConnection(url, application: "test")
        try connection.connected()
        try connection.execute(SQLStatement("UPDATE schema_steps SET name = 'other' WHERE step = 3"), [])
        let error = try #require(throws: StoreError.self) { try PostgresDatabase(url) }
        #expect("\(error)".contains("step 3 of its schema is other"))
    }

    @Test(
        arguments: [
            ("ALTER TABLE apps ALTER COLUMN name DROP NOT NULL", "apps is not as"),
            ("DROP INDEX events_of_app", "index events_of_app is missing"),
            ("ALTER TABLE declarations DROP CONSTRAINT declarations_activity_fkey", "is missing"),
        ]
    )
    func `A table that was changed by hand is refused by name`(_ statement: String, _ reason: String) async throws {
        let url = try await TestPostgres.shared.database()
        let connection = PostgresConnection(url, application: "test")
        try connection.connected()
        try connection.execute(SQLStatement(composed: "CREATE TABLE somebodys_own (id BIGINT)"), [])
        _ = try PostgresDatabase(url)
        try connection.execute(SQLStatement(composed: statement), [])
        // A check before an upgrade says what the start would say.
        let planned = try #require(throws: StoreError.self) { try PostgresDatabase.plan(url) }
        let error = try #require(throws: StoreError.self) { try PostgresDatabase(url) }
        #expect("\(error)".contains(reason), "\(error)")
        #expect(planned == error)
        #expect(throws: error) { try PostgresDatabase.script(url) }
    }

    @Test func `A table that the user may not write is refused by name before a call meets it`() async throws {
        let owner = try await TestPostgres.shared.database()
        try await TestPostgres.shared.server().run("CREATE ROLE reader LOGIN PASSWORD 'word'")
        let user = try owner.ofUser("reader")
        func run(_ statement: String) throws {
            try owner.onConnection { _ = try $0.execute(SQLStatement(composed: statement), []) }
        }
        try run("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO reader")
        _ = try PostgresDatabase(user)
        try run("REVOKE INSERT ON devices FROM reader")
        let planned = try #require(throws: StoreError.self) { try PostgresDatabase.plan(user) }
        #expect(planned.kind == "databaseRights")
        #expect("\(planned)".contains("devices"))
        #expect(throws: planned) { try PostgresDatabase(user) }
    }

    @Test func `A search_path that leads to another schema makes no second Eyot`() async throws {
        let url = try await TestPostgres.shared.database()
        let owner = try #require(URLComponents(string: url.text)?.user)
        let name = try #require(url.text.split(separator: "/").last)
        func run(_ statement: String) throws {
            try url.onConnection { _ = try $0.execute(SQLStatement(composed: statement), []) }
        }
        try run("CREATE SCHEMA other")
        try run("ALTER ROLE \(owner) IN DATABASE \(name) SET search_path = other")
        let error = try #require(throws: StoreError.self) { try PostgresDatabase(url) }
        #expect(error == .schemaForeign(.otherSchema("public")))
        #expect(throws: error) { try PostgresDatabase.plan(url) }
        // A URL that names the schema makes one.
        let meant = try #require(PostgresURL(url.text + "?options=-csearch_path%3Dother"))
        #expect(try PostgresDatabase(meant).schema == PostgresDatabase.schemaVersion)
    }

    @Test func `Ids of events go on rising where a server counts transactions from lower numbers`() async throws {
        let url = try await TestPostgres.shared.database()
        let (app, connection) = (AppID(rawValue: 1), PostgresConnection(url, application: "test"))
        func record(_ second: Int) async throws -> Int64 {
            let store = PostgresStore(try PostgresDatabase(url))
            try await store.write { try $0.record(Event(app: app, at: Instant(second: second), Fact(.cardEnded))) }
            await store.close()
            return try connection.rows(SQLStatement("SELECT MAX(id) FROM events"), []) { try $0.number() }.first ?? 0
        }
        try connection.connected()
        let first = try await record(1)
        // As in a database that was restored from a server with far more transactions.
        try connection.execute(SQLStatement("UPDATE events SET id = id + ?1"), [.integer(1 << 50)])
        #expect(try await record(2) > first + 1 << 50)
        let third = try await record(3)
        // As where a standby has taken over.
        try connection.execute(SQLStatement("UPDATE database_server SET timeline = timeline - 1"), [])
        #expect(try await record(4) >= third + 1 << 40)
    }

    @Test(arguments: ["fsync", "full_page_writes"])
    func `A server that may lose a commit is refused`(_ setting: String) async throws {
        let server = try await ThrowawayPostgres.start(["\(setting)=off"])
        let url = try #require(PostgresURL(server.url))
        #expect(throws: StoreError.notDurable(setting: setting, found: "off")) { try PostgresDatabase(url) }
        await server.stop()
    }

    @Test func `A database whose commits do not wait for the disk is refused`() async throws {
        let url = try await TestPostgres.shared.database("options=-c%20synchronous_commit%3Doff")
        #expect(throws: StoreError.notDurable(setting: "synchronous_commit", found: "off")) {
            try PostgresDatabase(url)
        }
    }

    @Test func `What keeps a connection from being made is said without the password`() async throws {
        let server = try await TestPostgres.shared.server()
        let wrong = server.url.replacing(#/:[^:@/]+@/#, with: ":hunter2@")
        for (text, reason) in [
            (wrong, "password authentication failed"), (server.url(ofDatabase: "nowhere"), "does not exist"),
            (server.url + "?sslmode=require", "SSL was required"), ("postgres://postgres@127.0.0.1:1/x", "refused"),
        ] {
            let error = try #require(throws: StoreError.self) { try PostgresDatabase(#require(PostgresURL(text))) }
            #expect("\(error)".contains(reason))
            #expect(!"\(error)".contains("hunter2"))
        }
    }
}
