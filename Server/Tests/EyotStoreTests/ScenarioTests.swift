import EyotSQLite
import EyotTestKit
import Testing

@Suite("Scenarios, on SQLite")
struct ScenarioTests {
    @Test("Every scenario plays out as its table says", arguments: Scenario.all, ScenarioWorld.Way.allCases)
    func plays(_ scenario: Scenario, by way: ScenarioWorld.Way) throws {
        try SQLiteDatabase().write { ledger in
            let world = try ScenarioWorld(ledger: ledger, by: way)
            try world.play(scenario)
            #expect(world.failures == [])
            // Pages take those first who are not members of the ring.
            #expect(
                way == .pages ? world.pushes.sorted() == scenario.pushes.sorted() : world.pushes == scenario.pushes,
                "\(world.pushes)")
            for (phone, screen) in scenario.phones { #expect(world.screens[phone] == screen, "\(phone)") }
        }
    }
}
