import EyotTestKit
import Testing

@Suite("Scenarios, on values in memory")
struct ScenarioTests {
    @Test("Every scenario plays out as its table says", arguments: Scenario.all, ScenarioWorld.Way.allCases)
    func plays(_ scenario: Scenario, by way: ScenarioWorld.Way) throws {
        let world = try ScenarioWorld(ledger: MemoryLedger(), by: way)
        try world.play(scenario)
        #expect(world.failures == [])
        // Pages take those first who are not members of the ring.
        #expect(
            way == .pages ? world.pushes.sorted() == scenario.pushes.sorted() : world.pushes == scenario.pushes,
            "\(world.pushes)")
        for (phone, screen) in scenario.phones { #expect(world.screens[phone] == screen, "\(phone)") }
    }

    @Test func `There are at least sixty scenarios, each with a name of its own`() {
        #expect(Scenario.all.count >= 60)
        #expect(Set(Scenario.all.map(\.name)).count == Scenario.all.count)
    }
}
