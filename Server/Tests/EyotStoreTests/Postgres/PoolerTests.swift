import EyotDomain
import EyotLab
import EyotStore
import EyotTestKit
import Testing

@testable import EyotPostgres

/// pgbouncer hands each transaction to another connection of the server.
@Suite("A store behind pgbouncer", .timeLimit(.minutes(10)))
struct PoolerTests {
    /// - Parameter query: Parameters of the URL.
    private func withStore(_ query: String = "", _ body: (PostgresStore) async throws -> Void) async throws {
        let pooler = try await ThrowawayPgbouncer.start(before: TestPostgres.shared.server())
        let url = try await pooler.url(TestPostgres.shared.emptyDatabase())
        var limits = GroupCommitLimits()
        // A check asks for very many audiences in one write.
        limits.search = .seconds(600)
        let store = PostgresStore(try PostgresDatabase(#require(PostgresURL(url.text + query))), limits: limits)
        try await body(store)
        await store.close()
        await pooler.stop()
    }

    @Test func `It upholds what a ledger promises, in tables that were made through the pooler`() async throws {
        try await withStore { store in
            for check in LedgerCheck.ofDatabases {
                do {
                    try await store.tryOut { try check.run($0) }
                } catch {
                    Issue.record("\(check): \(error)")
                }
            }
            #expect(store.url.keepsStatements == false, "found out by itself")
        }
    }

    @Test(arguments: StoreCheck.ofStores)
    func `It upholds what a store promises`(_ check: StoreCheck) async throws {
        try await withStore { try await check.run($0) }
    }

    @Test func `Prepared statements that the pooler loses cost a repetition`() async throws {
        try await withStore("?prepared_statements=on&pool_max_conns=27") { store in
            #expect(store.url.keepsStatements == true)
            try await StoreCheck.keepsUpdates.run(store)
            // Each reader has a chance of meeting a connection on which a writer has prepared something.
            try await withThrowingTaskGroup { group in
                for _ in 0..<40 { group.addTask { _ = try await store.read { try $0.apps().count } } }
                try await group.waitForAll()
            }
        }
    }

    /// Each connection here prepares another statement under what would be the same number.
    @Test func `A prepared statement of another process is never run`() async throws {
        let pooler = try await ThrowawayPgbouncer.start(before: TestPostgres.shared.server())
        var url = try await pooler.url(TestPostgres.shared.emptyDatabase())
        url.keepsStatements = true
        let connections = [Int64](1...2).map { (PostgresConnection(url, application: "eyot"), $0) }
        let (begin, commit) = (SQLStatement("BEGIN"), SQLStatement("COMMIT"))
        func ask(_ connection: PostgresConnection, for number: Int64) throws -> Int64? {
            try connection.rows(SQLStatement("SELECT CAST(\(number) AS BIGINT)"), []) { try $0.number() }.first
        }
        for (connection, number) in connections {
            try connection.connected()
            try connection.execute(begin, [])
            #expect(try ask(connection, for: number) == number)
        }
        // The pooler hands out first what it got back last.
        for (connection, _) in connections.reversed() { try connection.execute(commit, []) }
        for (connection, number) in connections.reversed() {
            do {
                try connection.execute(begin, [])
                #expect(try ask(connection, for: number) == number)
            } catch StoreError.conflict {
                // The statement is missing there, and is prepared or parsed again.
            }
        }
        for (connection, _) in connections { connection.close() }
        await pooler.stop()
    }
}
