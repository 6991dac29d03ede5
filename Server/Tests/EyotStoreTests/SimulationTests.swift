import EyotSQLite
import EyotSimulation
import EyotTestKit
import Testing

@Suite("Deterministic simulation, on SQLite")
struct SimulationTests {
    /// How many seeds are tried in each of two blocks.
    private static let blockSize = SimulationSeeds.share(8, limit: 75)

    @Test("The rules hold, and the story is the one that values in memory tell", arguments: 0..<2)
    func keepsTheRules(_ block: UInt64) throws {
        for seed in (10_000 + block * Self.blockSize)..<(10_000 + (block + 1) * Self.blockSize) {
            let plan = SimulationPlan(seed: seed)
            let inMemory = try Simulation(plan, store: MemoryDatabase()).run()
            let stored = try Simulation(plan, store: SQLiteDatabase()).run()
            #expect(stored.violations == [], "\(plan)")
            #expect(stored.digest == inMemory.digest, "\(plan)")
        }
    }
}
