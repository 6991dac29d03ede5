import EyotDomain
import EyotTestKit
import Testing

@Suite("Scenarios, on values in memory")
struct ScenarioTests {
    @Test("Every scenario plays out as its table says", arguments: Scenario.all)
    func plays(_ scenario: Scenario) throws {
        let ledger = MemoryLedger()
        let app = AppID(rawValue: 1)
        ledger.insert(App(id: app, bundleID: "org.example", name: "Example", publicKey: "key", createdAt: Instant(second: 0)))
        let world = ScenarioWorld(ledger: ledger) { installation, now, os in
            ledger.insertDevice { id in
                Device(
                    id: id, app: app, installation: installation, environment: .sandbox, osVersion: os, appVersion: "1",
                    permissions: .init(activities: true, frequentPushes: true), createdAt: now, seenAt: now)
            }
        }
        try world.play(scenario)
        #expect(world.failures == [])
        #expect(world.pushes == scenario.pushes)
        for (phone, screen) in scenario.phones { #expect(world.screens[phone] == screen, "\(phone)") }
    }

    @Test func `There are at least sixty scenarios, each with a name of its own`() {
        #expect(Scenario.all.count >= 60)
        #expect(Set(Scenario.all.map(\.name)).count == Scenario.all.count)
    }
}
