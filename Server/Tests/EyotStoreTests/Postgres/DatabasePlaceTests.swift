import EyotLab
import EyotStore
import EyotTestKit
import Foundation
import Testing

@testable import EyotPostgres

/// A database that other programs have copied is told from one that was moved (decision 0042).
@Suite("Copies of a database of PostgreSQL", .timeLimit(.minutes(10)))
struct DatabasePlaceTests {
    private static let place = DatabasePlace(cluster: "7", database: 16_384, tables: "16400,16500,16600")

    @Test func `What a rename, a takeover and an upgrade change is no copy, and what a restore changes is one`() {
        func isCopy(_ change: (inout DatabasePlace) -> Void) -> Bool {
            var other = Self.place
            change(&other)
            return Self.place.isCopied(to: other)
        }
        // A rename and a promotion change nothing of it.
        #expect(!isCopy { _ in })
        // pg_upgrade keeps the numbers of tables, and makes a cluster.
        #expect(!isCopy { ($0.cluster, $0.database) = ("8", 5) })
        // pg_restore, in this cluster, in this database, and in another cluster.
        #expect(isCopy { ($0.database, $0.tables) = (20_000, "20001,20002,20003") })
        #expect(isCopy { $0.tables = "20001,20002,20003" })
        #expect(isCopy { ($0.cluster, $0.tables) = ("8", "16400,16501,16600") })
        // CREATE DATABASE … TEMPLATE.
        #expect(isCopy { $0.database = 20_000 })
    }

    @Test func `A database that pg_restore brought is an unadopted copy until it is adopted`() async throws {
        let (from, to) = (try await TestPostgres.shared.database(), try await TestPostgres.shared.emptyDatabase())
        let folder = try TemporaryFolder()
        #expect(try !PostgresDatabase(from).isUnadoptedCopy)
        #expect(try !PostgresDatabase(from).isUnadoptedCopy, "a second start")
        let (dump, server) = (folder.path("dump"), try await TestPostgres.shared.server())
        try await server.runProgram("pg_dump", ["--format=custom", "--file=\(dump)", from.text])
        try await server.runProgram("pg_restore", ["--dbname=\(to.text)", dump])
        #expect(try PostgresDatabase.isUnadoptedCopy(to))
        #expect(try PostgresDatabase(to).isUnadoptedCopy)
        #expect(try PostgresDatabase(to).isUnadoptedCopy, "a start adopts nothing")
        try PostgresDatabase(to).adopt()
        #expect(try !PostgresDatabase(to).isUnadoptedCopy)

        // Into the same database, as after a slip of the hand.
        try await server.runProgram("pg_restore", ["--clean", "--if-exists", "--dbname=\(from.text)", dump])
        #expect(try PostgresDatabase(from).isUnadoptedCopy)
    }

    @Test func `A database made from another one is a copy, and a renamed one is none`() async throws {
        let server = try await TestPostgres.shared.server()
        let from = try await TestPostgres.shared.database()
        _ = try PostgresDatabase(from)
        let name = try #require(from.text.split(separator: "/").last)
        try await server.run("CREATE DATABASE cloned TEMPLATE \(name)")
        let clone = try #require(PostgresURL(server.url(ofDatabase: "cloned")))
        #expect(try PostgresDatabase(clone).isUnadoptedCopy)
        try await server.run("ALTER DATABASE \(name) RENAME TO renamed")
        let renamed = try #require(PostgresURL(server.url(ofDatabase: "renamed")))
        #expect(try !PostgresDatabase(renamed).isUnadoptedCopy)
    }

    @Test func `A database of a program that kept no record gets one, and begins as it was`() async throws {
        let url = try await TestPostgres.shared.database()
        try url.onConnection { _ = try $0.execute(SQLStatement("DROP TABLE IF EXISTS database_place"), []) }
        try url.onConnection { _ = try $0.execute(SQLStatement("DELETE FROM schema_shapes"), []) }
        #expect(try !PostgresDatabase.isUnadoptedCopy(url))
        #expect(try !PostgresDatabase(url).isUnadoptedCopy)
        let rows = try url.onConnection {
            try $0.rows(SQLStatement("SELECT COUNT(*) FROM database_place"), []) { try $0.number() }
        }
        #expect(rows == [1])
    }
}
