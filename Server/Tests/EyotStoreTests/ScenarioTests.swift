import EyotSQLite
import EyotTestKit
import Testing

@Suite("Scenarios, on SQLite")
struct ScenarioTests {
    @Test("Every scenario plays out as its table says", arguments: Scenario.all)
    func plays(_ scenario: Scenario) throws {
        try SQLiteDatabase().write { ledger in
            let world = try ScenarioWorld(ledger: ledger)
            try world.play(scenario)
            #expect(world.failures == [])
            #expect(world.pushes == scenario.pushes)
            for (phone, screen) in scenario.phones { #expect(world.screens[phone] == screen, "\(phone)") }
        }
    }
}
