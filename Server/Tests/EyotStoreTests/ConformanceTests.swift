import EyotSQLite
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

    @Test("Values in memory uphold what a ledger promises", arguments: LedgerCheck.all)
    func asValues(_ check: LedgerCheck) throws { try check.run(MemoryLedger()) }

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
