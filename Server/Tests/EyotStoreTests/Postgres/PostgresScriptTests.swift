import EyotDomain
import EyotLab
import EyotStore
import EyotTestKit
import Foundation
import Testing

@testable import EyotPostgres

/// Migrations in databases in which another user makes the tables, or which others use meanwhile.
@Suite("Migrations of PostgreSQL", .timeLimit(.minutes(10)))
struct PostgresScriptTests {
    private func run(_ statements: [String], on url: PostgresURL) throws {
        try url.onConnection { connection in
            for statement in statements { try connection.execute(SQLStatement(composed: statement), []) }
        }
    }

    private func definitions(_ url: PostgresURL) throws -> Set<String> {
        try url.onConnection {
            Set(try $0.rows(SQLStatement(SQLDialect.postgres.definitions), []) { try "\($0.text()) \($0.text())" })
        }
    }

    @Test func `The printed statements make the same tables, and a user without rights to make any works with them`()
        async throws
    {
        let owner = try await TestPostgres.shared.emptyDatabase()
        let user = try owner.ofUser("plain")
        try await TestPostgres.shared.server().run("CREATE ROLE plain LOGIN PASSWORD 'word'")
        try run(["REVOKE CREATE ON SCHEMA public FROM PUBLIC"], on: owner)
        let refused = #expect(throws: StoreError.self) { try PostgresDatabase(user) }
        #expect("\(try #require(refused))".contains("42501"))
        #expect("\(try #require(refused))".contains("eyot migrate --sql"))

        try run(try PostgresDatabase.script(user), on: owner)
        #expect(try definitions(owner) == definitions(await TestPostgres.shared.database()))
        #expect(try PostgresDatabase.script(owner).isEmpty)
        try run(["GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO plain"], on: owner)
        let database = try PostgresDatabase(user) { _ in Issue.record("a step was taken") }
        #expect(database.schema == PostgresDatabase.schemaVersion)
        let app = try database.write {
            try $0.insertApp(bundleID: "org.example.match", name: "Test", publicKey: "k", at: Instant(second: 1))
        }
        #expect(try PostgresDatabase(user).read { try $0.app(app.id) } == app)
        try run(["ALTER TABLE apps ADD COLUMN more BIGINT"], on: owner)
        #expect(throws: StoreError.schemaForeign(.changed("apps"))) { try PostgresDatabase(user) }
    }

    @Test func `A database with some of the steps gets the statements of the others`() async throws {
        let url = try await TestPostgres.shared.database()
        let last = PostgresDatabase.schemaVersion
        // What the last step made is taken away.
        let drops = [
            "ALTER TABLE activities DROP COLUMN stale_at", "ALTER TABLE kept_reports DROP COLUMN state_as_of",
        ]
        try run(drops + ["DELETE FROM schema_steps WHERE step = \(last)", "DELETE FROM schema_shapes"], on: url)
        let script = try PostgresDatabase.script(url)
        #expect(script.contains { $0.contains("ADD COLUMN stale_at") })
        #expect(!script.contains { $0.hasPrefix("CREATE TABLE apps") })
        try run(script, on: url)
        #expect(try PostgresDatabase(url).schema == last)
        #expect(try definitions(url) == definitions(await TestPostgres.shared.database()))
    }

    @Test func `A table that another session keeps locked ends a start with a sentence, and nothing is half done`()
        async throws
    {
        let url = try await TestPostgres.shared.database()
        let other = PostgresConnection(url, application: "test")
        try other.connected()
        try other.execute(SQLStatement("BEGIN"), [])
        try other.execute(SQLStatement("LOCK TABLE commit_marks IN ACCESS EXCLUSIVE MODE"), [])
        let error = #expect(throws: StoreError.self) { try PostgresDatabase(url) }
        #expect(try #require(error).kind == "schemaLocked")
        #expect("\(try #require(error))".contains("pg_stat_activity"))
        try other.execute(SQLStatement("COMMIT"), [])
        #expect(try PostgresDatabase(url).schema == PostgresDatabase.schemaVersion)
    }
}
