import EyotSimulation
import EyotTestKit
import PhoneSimulator
import Testing

@Suite("Deterministic simulation, on values in memory")
struct SimulationTests {
    /// How many seeds are tried in each of ten blocks, side by side.
    private static let blockSize = SimulationSeeds.share(10)
    /// How many mixtures are tried in each of four blocks.
    private static let mixtures = SimulationSeeds.share(8, limit: 75)

    /// Seeds that show faults which few seeds show. The search for a fault begins there.
    private static let telling: [PlantedFault: UInt64] = [
        .reportsOvertaken: 1_694, .restsUnseen: 863, .broadcastsLost: 317, .comersPassedOver: 203, .probesSpared: 126,
        .membersForgotten: 105, .pausesSpread: 73, .secondsRestored: 70, .startsAgain: 46, .findingsSure: 46,
        .stampsLate: 45, .alertsForgotten: 24, .flightsUnbounded: 24, .deathsCommit: 22, .channelsRestless: 20,
    ]

    @Test("The rules hold in every order of events", arguments: 0..<10)
    func keepsTheRules(_ block: UInt64) throws {
        for seed in (block * Self.blockSize)..<((block + 1) * Self.blockSize) {
            let complaint = try Simulation.complaint(about: SimulationPlan(seed: seed)) { MemoryDatabase() }
            #expect(complaint == nil)
        }
    }

    @Test("The rules hold whatever iOS does where Apple is silent", arguments: PhoneRules.switches)
    func keepsTheRules(under choice: PhoneRules.Switch) throws {
        var rules = PhoneRules()
        choice.flip(&rules)
        for seed in 0..<SimulationSeeds.share(40, limit: 20) {
            let plan = SimulationPlan(seed: seed, rules: rules)
            let complaint = try Simulation.complaint(about: plan) { MemoryDatabase() }
            #expect(complaint == nil)
        }
    }

    /// Runs the plans of a block of seeds.
    private func hold(in block: UInt64, _ plan: (UInt64) -> SimulationPlan) throws {
        for seed in (block * Self.mixtures)..<((block + 1) * Self.mixtures) {
            let complaint = try Simulation.complaint(about: plan(seed)) { MemoryDatabase() }
            #expect(complaint == nil)
        }
    }

    @Test("The rules hold in every mixture of what iOS may do", arguments: 0..<4)
    func keepsTheRulesInMixtures(_ block: UInt64) throws {
        try hold(in: block) { SimulationPlan(seed: $0, rules: .mixture(seed: $0)) }
    }

    @Test("The rules hold when the database goes back and phones do not", arguments: 0..<4)
    func keepsTheRulesInHistories(_ block: UInt64) throws {
        try hold(in: block) { .histories(seed: $0) }
    }

    @Test(
        "Seeds that once broke a rule break none",
        arguments: [
            531_129_062, 929_930_009, 2_911_439, 3_300_599, 6_605_399, 17_700_727, 41_100_487, 71_900_847,
            91_300_719, 82_213_487, 140_201_239, 230_120_307, 230_120_312, 478_222_732, 230_121_165,
            230_122_722, 615_403_569,
        ])
    func keepsTheRules(ofFound seed: UInt64) throws {
        let complaint = try Simulation.complaint(about: .any(seed: seed)) { MemoryDatabase() }
        #expect(complaint == nil)
    }

    @Test("The rules hold when a standby without the last seconds takes over", arguments: 0..<4)
    func keepsTheRulesInPromotions(_ block: UInt64) throws {
        try hold(in: block) { .promotions(seed: $0) }
    }

    @Test func `every switch of the phone is flipped`() {
        let standard = Mirror(reflecting: PhoneRules()).children.map { "\($0.label ?? "") \($0.value)" }
        let flipped = PhoneRules.switches.map { choice in
            var rules = PhoneRules()
            choice.flip(&rules)
            return Mirror(reflecting: rules).children.map { "\($0.label ?? "") \($0.value)" }
        }
        for (index, rule) in standard.enumerated() {
            #expect(flipped.contains { $0[index] != rule }, "\(rule) is left as it is")
        }
    }

    @Test func `the same seed tells the same story, and another one another`() throws {
        let plans = [7, 7, 8, 13, 13, 21].map { SimulationPlan(seed: $0) }
        #expect(plans.map(\.nodes) == [1, 1, 1, 3, 3, 3])
        let digests = try plans.map { try Simulation($0, store: MemoryDatabase()).run().digest }
        #expect(digests[0] == digests[1] && digests[3] == digests[4])
        #expect(Set(digests).count == 4)
    }

    @Test("A fault that is planted is noticed, by the rule that it breaks", arguments: PlantedFault.allCases)
    func noticesFaults(_ fault: PlantedFault) throws {
        let first = Self.telling[fault] ?? 0
        // A change of the simulation changes what a seed shows. Then the search takes longer.
        for seed in Array(first..<3_000) + Array(0..<first) {
            let record = try Simulation(fault.plan(seed: seed), store: MemoryDatabase(), planting: fault).run()
            if record.breaks(fault.rule) { return }
        }
        Issue.record("no seed shows \(fault)")
    }

    @Test func `a plan that fails is shrunk to where it goes wrong`() throws {
        let fails = { (plan: SimulationPlan) in
            try !Simulation(plan, store: MemoryDatabase(), planting: .dismissalsLost).run().violations.isEmpty
        }
        let plan = try #require(
            try (UInt64(0)..<500).map { SimulationPlan(seed: $0, actions: 120) }.first(where: fails))
        let smallest = try plan.shrunk(fails)
        #expect(smallest.actions < plan.actions)
        #expect(try fails(smallest))
    }
}
