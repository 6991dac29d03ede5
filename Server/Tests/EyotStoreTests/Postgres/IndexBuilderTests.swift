import EyotDomain
import EyotLab
import EyotStore
import EyotTestKit
import Testing

@testable import EyotPostgres

/// Indices of steps that a database with rows takes.
@Suite("Indices of later steps on PostgreSQL", .timeLimit(.minutes(10)))
struct IndexBuilderTests {
    private static let index = "apps_by_age"

    /// This program with a further step.
    private static let newer = SchemaMigrator(
        steps: Schema.migrations + [
            Schema.Migration(name: "ages", worksSince: Schema.version) { _ in
                ["CREATE INDEX apps_by_age ON apps (created_at, id)"]
            }
        ], dialect: .postgres)

    private func withConnection<Result>(
        _ url: PostgresURL, _ body: (PostgresConnection) throws -> Result
    ) throws -> Result {
        try url.onConnection { connection in
            try connection.execute(SQLStatement("SET lock_timeout = '20s'"), [])
            return try body(connection)
        }
    }

    private func run(_ statement: String, on url: PostgresURL) throws {
        try withConnection(url) { _ = try $0.execute(SQLStatement(composed: statement), []) }
    }

    /// Whether the index is valid; nil if there is none.
    private func isValid(_ url: PostgresURL) throws -> Bool? {
        try withConnection(url) { connection in
            try connection.rows(
                SQLStatement(
                    composed: """
                        SELECT CASE WHEN indisvalid THEN 1 ELSE 0 END FROM pg_index \
                        WHERE indexrelid = to_regclass('\(Self.index)')
                        """), []
            ) { try $0.flag() }.first
        }
    }

    private func open(_ url: PostgresURL, _ migrator: SchemaMigrator = newer) throws -> [String] {
        var done: [String] = []
        _ = try PostgresDatabase(url, migrator: migrator) { done.append($0.name) }
        return done
    }

    @Test func `An index that one later step makes and another drops is in nobody's way`() async throws {
        let url = try await TestPostgres.shared.emptyDatabase()
        let made = try #require(
            Schema.migrations.firstIndex { $0.text(in: .postgres).contains(" operations_of_version ") })
        // Also what a process finds that opens an empty database while another makes its tables.
        _ = try open(url, SchemaMigrator(steps: Array(Schema.migrations.prefix(made)), dialect: .postgres))
        _ = try open(url, .postgres)
        let index = "to_regclass('operations_of_version') IS NULL"
        let isGone = try withConnection(url) { connection in
            try connection.rows(SQLStatement(composed: "SELECT \(index)"), []) { try $0.flag() }.first
        }
        #expect(isGone == true)
    }

    @Test func `The plain indices of the steps are those of a new database`() async throws {
        let url = try await TestPostgres.shared.database()
        let found = try withConnection(url) { connection in
            try connection.rows(
                SQLStatement(
                    """
                    SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid \
                    WHERE NOT i.indisunique AND c.relnamespace = CAST(current_schema() AS REGNAMESPACE)
                    """), []
            ) { try $0.text() }
        }
        #expect(found.count > 20)
        #expect(SchemaMigrator.postgres.indices.map(\.name).sorted() == found.sorted())
    }

    @Test func `Others write to a table while it gets an index`() async throws {
        // A server of its own, because a long write keeps new events from the readers of all databases of a server.
        let server = try await ThrowawayPostgres.start()
        let url = try #require(PostgresURL(server.url))
        _ = try PostgresDatabase(url)
        let writer = PostgresConnection(url, application: "test")
        try writer.connected()
        try writer.execute(SQLStatement("BEGIN"), [])
        try writer.execute(SQLStatement("UPDATE apps SET name = name"), [])
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                let done = try open(url)
                #expect(done == ["ages", "index apps_by_age"])
            }
            // The build waits for that transaction. An ordinary one would keep all others waiting behind it.
            let end = ContinuousClock.now + .seconds(60)
            while try isValid(url) == nil, ContinuousClock.now < end { await Task.yield() }
            try run("UPDATE apps SET name = name", on: url)
            try writer.execute(SQLStatement("COMMIT"), [])
            try await group.waitForAll()
        }
        #expect(try isValid(url) == true)
        #expect(try open(url).isEmpty)
        await server.stop()
    }

    @Test func `A broken or missing index is made at the next start`() async throws {
        let url = try await TestPostgres.shared.database()
        #expect(try open(url) == ["ages", "index apps_by_age"])
        // As an interrupted build leaves it.
        try run("UPDATE pg_index SET indisvalid = false WHERE indexrelid = '\(Self.index)'::regclass", on: url)
        #expect(try open(url) == ["index apps_by_age"])
        #expect(try isValid(url) == true)
        // As if the process had ended between the step and its index: what the tables were is not recorded yet.
        try run("DROP INDEX \(Self.index)", on: url)
        try run("DELETE FROM schema_shapes WHERE name = 'index \(Self.index)'", on: url)
        #expect(try open(url) == ["index apps_by_age"])
        #expect(try isValid(url) == true)
        #expect(try open(url).isEmpty)
        try run("DROP INDEX \(Self.index)", on: url)
        #expect(throws: StoreError.schemaForeign(.missing("index \(Self.index)"))) { try open(url) }
    }

    @Test func `Of several processes that start with a new step, one makes the index`() async throws {
        let url = try await TestPostgres.shared.database()
        let done = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<4 { group.addTask { try open(url) } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(done.count { $0 == "ages" } == 1)
        #expect(try isValid(url) == true)
    }

    @Test func `A new database gets its indices with its tables`() async throws {
        let url = try await TestPostgres.shared.emptyDatabase()
        #expect(try open(url).count == Schema.version + 1)
        #expect(try isValid(url) == true)
    }
}
