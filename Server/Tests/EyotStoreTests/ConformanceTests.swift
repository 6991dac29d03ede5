import EyotPostgres
import EyotSQLite
import EyotStore
import EyotTestKit
import Testing

@Suite("Conformance", .timeLimit(.minutes(10)))
struct ConformanceTests {
    /// A check asks for very many audiences in one write.
    private static var patient: GroupCommitLimits {
        var limits = GroupCommitLimits()
        limits.search = .seconds(600)
        return limits
    }

    @Test("SQLite in a file upholds what a store promises", arguments: StoreCheck.all)
    func inAFile(_ check: StoreCheck) async throws {
        let folder = try TemporaryFolder()
        let store = SQLiteStore(try SQLiteDatabase(path: folder.path("eyot.db")), limits: Self.patient)
        try await check.run(store)
        try await store.close()
    }

    @Test("SQLite in memory upholds what a store promises", arguments: StoreCheck.all)
    func inMemory(_ check: StoreCheck) async throws {
        try await check.run(SQLiteStore(SQLiteDatabase(), limits: Self.patient))
    }

    @Test("PostgreSQL upholds what a store promises", arguments: StoreCheck.ofStores)
    func inPostgres(_ check: StoreCheck) async throws {
        let database = try await PostgresDatabase(TestPostgres.shared.database())
        let store = PostgresStore(database, limits: Self.patient)
        try await check.run(store)
        await store.close()
    }

    /// In one database, which each check leaves as it was.
    @Test func `PostgreSQL upholds what a ledger promises`() async throws {
        let database = try await PostgresDatabase(TestPostgres.shared.database())
        let store = PostgresStore(database, limits: Self.patient)
        for check in LedgerCheck.ofDatabases {
            do {
                try await store.tryOut { try check.run($0) }
            } catch {
                Issue.record("\(check): \(error)")
            }
        }
        await store.close()
    }

    @Test("Values in memory uphold what a ledger promises", arguments: LedgerCheck.all)
    func asValues(_ check: LedgerCheck) throws { try check.run(MemoryLedger()) }

    @Test("Values in memory keep events as a store does", arguments: StoreCheck.events)
    func eventsAsValues(_ check: StoreCheck) async throws { try await check.run(MemoryStore()) }

    @Test func `A store that reads first and writes later is found out`() async throws {
        await #expect(throws: Violation.self) {
            try await StoreCheck.keepsUpdates.run(RacyStore(SQLiteDatabase()))
        }
        await #expect(throws: (any Error).self) {
            try await StoreCheck.keepsOrdinalsDense.run(RacyStore(SQLiteDatabase()))
        }
        await #expect(throws: Violation.self) { try await StoreCheck.lendsOnce.run(RacyStore(SQLiteDatabase())) }
    }

    @Test func `A store that keeps what a failed body wrote is found out`() async throws {
        await #expect(throws: Violation.self) {
            try await StoreCheck.undoesWhatThrows.run(LeakyStore(SQLiteDatabase()))
        }
        await #expect(throws: (any Error).self) {
            try await StoreCheck.leavesNothingOfTrials.run(LeakyStore(SQLiteDatabase()))
        }
    }
}
