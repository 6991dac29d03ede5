import EyotSQLite
import EyotSimulation
import EyotTestKit
import Testing

@Suite("Deterministic simulation, on SQLite")
struct SimulationTests {
    @Test func `the rules hold, and the story is the one that values in memory tell`() throws {
        for seed in UInt64(10_000)..<10_075 {
            let plan = SimulationPlan(seed: seed)
            let inMemory = try Simulation(plan, store: MemoryDatabase()).run()
            let stored = try Simulation(plan, store: SQLiteDatabase()).run()
            #expect(stored.violations == [], "\(plan)")
            #expect(stored.digest == inMemory.digest, "\(plan)")
        }
    }
}
