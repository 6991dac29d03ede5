import EyotSimulation
import EyotTestKit
import Testing

/// Kept numbers against a count of all replicas, echoes and events. The simulation does it in each of its seeds.
@Suite("Kept numbers in the simulation")
struct KeptNumbersTests {
    @Test(
        "A number that is counted twice or not at all is noticed",
        arguments: [
            PlantedFault.countsTwice, .endsUncounted, .updatesForgotten, .propertiesUncounted,
        ])
    func noticesFaults(_ fault: PlantedFault) throws {
        var seed: UInt64 = 0
        var isNoticed = false
        while !isNoticed, seed < 300 {
            let record = try Simulation(SimulationPlan(seed: seed), store: MemoryDatabase(), planting: fault).run()
            isNoticed = record.breaks(fault.rule)
            seed += 1
        }
        #expect(isNoticed)
    }
}
