import EyotSQLite
import EyotTestKit
import Testing

@Suite("Deterministic simulation, on SQLite")
struct SimulationTests {
    @Test func `the rules hold, and the story is the one that values in memory tell`() throws {
        for seed in UInt64(10_000)..<10_150 {
            let plan = SimulationPlan(seed: seed)
            let inMemory = try Simulation(plan, ledger: MemoryLedger()).run()
            let stored = try SQLiteDatabase().write { try Simulation(plan, ledger: $0).run() }
            #expect(stored.violations == [], "\(plan)")
            #expect(stored.digest == inMemory.digest, "\(plan)")
        }
    }
}
