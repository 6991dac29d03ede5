import EyotSQLite
import EyotTestKit
import Testing

@Suite("Scenarios, on SQLite")
struct ScenarioTests {
    @Test("Every scenario plays out as its table says", arguments: Scenario.all, [false, true])
    func plays(_ scenario: Scenario, goesByPages: Bool) throws {
        try SQLiteDatabase().write { ledger in
            let world = try ScenarioWorld(ledger: ledger, goesByPages: goesByPages)
            try world.play(scenario)
            #expect(world.failures == [])
            // Pages take those first who are not members of the ring.
            #expect(goesByPages ? world.pushes.sorted() == scenario.pushes.sorted() : world.pushes == scenario.pushes)
            for (phone, screen) in scenario.phones { #expect(world.screens[phone] == screen, "\(phone)") }
        }
    }
}
