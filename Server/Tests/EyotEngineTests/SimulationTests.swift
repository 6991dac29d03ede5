import EyotTestKit
import PhoneSimulator
import Testing

@Suite("Deterministic simulation, on values in memory")
struct SimulationTests {
    /// Three hundred seeds each, side by side.
    @Test("The rules hold in every order of events", arguments: 0..<10)
    func keepsTheRules(_ block: UInt64) throws {
        for seed in (block * 300)..<(block * 300 + 300) {
            let complaint = try Simulation.complaint(about: SimulationPlan(seed: seed)) { MemoryLedger() }
            #expect(complaint == nil)
        }
    }

    @Test("The rules hold whatever iOS does where Apple is silent", arguments: Self.rules.indices)
    func keepsTheRulesUnder(_ index: Int) throws {
        for seed in UInt64(0)..<100 {
            let plan = SimulationPlan(seed: seed, rules: Self.rules[index])
            #expect(try Simulation.complaint(about: plan) { MemoryLedger() } == nil)
        }
    }

    /// Every switch that changes what a server may rely on, in the position that is not its default.
    private static let rules: [PhoneRules] = {
        let changes: [(inout PhoneRules) -> Void] = [
            { $0.appliesEqualTimestamp = true }, { $0.appliesOlderEnd = false }, { $0.requestHasTimestamp = true },
            { $0.removalKillsToken = false }, { $0.updateRevivesStale = false }, { $0.wakesForceQuitApp = false },
            { $0.tokenDelay = 3 }, { $0.replaysStartToken = false }, { $0.startTokenMoment = .firstLaunchAfterReboot },
            { $0.rebootRenewsStartToken = true }, { $0.cardsSurviveReboot = false }, { $0.replaysSettings = true },
        ]
        return changes.map { change in
            var rules = PhoneRules()
            change(&rules)
            return rules
        }
    }()

    @Test func `the same seed tells the same story, and another one another`() throws {
        let digests = try [7, 7, 8].map {
            try Simulation(SimulationPlan(seed: $0), ledger: MemoryLedger()).run().digest
        }
        #expect(digests[0] == digests[1])
        #expect(digests[0] != digests[2])
    }

    @Test("A fault that is planted is noticed, by the rule that it breaks", arguments: PlantedFault.allCases)
    func noticesFaults(_ fault: PlantedFault) throws {
        for seed in UInt64(0)..<3_000 {
            let record = try Simulation(SimulationPlan(seed: seed), ledger: MemoryLedger(), planting: fault).run()
            if record.violations.contains(where: { $0.contains(fault.rule) }) { return }
        }
        Issue.record("no seed shows \(fault)")
    }

    @Test func `a plan that fails is shrunk to where it goes wrong`() throws {
        let fails = { (plan: SimulationPlan) in
            try !Simulation(plan, ledger: MemoryLedger(), planting: .dismissalsLost).run().violations.isEmpty
        }
        let plan = try #require(try (UInt64(0)..<500).map { SimulationPlan(seed: $0) }.first(where: fails))
        let smallest = try plan.shrunk(fails)
        #expect(smallest.actions < plan.actions)
        #expect(try fails(smallest))
    }
}
