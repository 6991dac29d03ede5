import EyotDomain
import EyotTestKit
import Testing

@Suite("What is counted")
struct TallyTests {
    /// Plays a scenario and answers the tally of the newest generation of `m`.
    private func tally(byPages: Bool, _ steps: [Scenario.Step]) throws -> Tally {
        let ledger = MemoryLedger()
        try ScenarioWorld(ledger: ledger, by: byPages ? .pages : .replicas).play(Scenario("counts", steps, pushes: []))
        return try #require(ledger.newestActivity(named: "m", in: AppID(rawValue: 1))).tally
    }

    @Test(arguments: [false, true]) func `A state is counted as old as it was when Apple took it`(byPages: Bool) throws
    {
        let tally = try tally(
            byPages: byPages,
            at(0, .phone("a"), .local("a", name: "m"))
                + at(4, .fates([.refused(.shutdown), .refused(.shutdown)])) + at(5, .call(Call.update(1))))
        #expect(tally.accepted == 1)
        #expect(tally.refused == 2)
        #expect(tally.ages.longest == 3)
    }

    @Test(arguments: [false, true])
    func `Who waits for a canary is not behind`(byPages: Bool) throws {
        let tally = try tally(
            byPages: byPages,
            at(0, .phone("a"), .phone("b"), .local("a", name: "m"), .local("b", name: "m"))
                + at(5, .call(Call.canary(50, wait: 40, Call.update(1)))))
        #expect(tally.accepted == 2)
        #expect(tally.ages.longest == 0)
    }

    @Test(arguments: [false, true]) func `A token that came late does not count the time before it`(byPages: Bool)
        throws
    {
        let tally = try tally(
            byPages: byPages,
            at(0, .phone("a", allows: false)) + at(1, .call(Call.start(1))) + at(5, .call(Call.update(2)))
                + at(60, .allow("a")))
        #expect(tally.ages.longest == 1)
    }

    @Test(arguments: [false, true])
    func `States and alerts that were overtaken are counted, and so are alerts that came too late`(byPages: Bool) throws
    {
        let tally = try tally(
            byPages: byPages,
            at(0, .phone("a"), .local("a", name: "m")) + at(5, .call(Call.update(1)))
                + at(5.2, .call(Call.alert(2, at: 5))) + at(5.4, .call(Call.alert(3, at: 5)))
                + at(5.6, .call(Call.update(4)))
                + at(9, .fates([.refused(.shutdown), .refused(.shutdown)]))
                + at(10, .call(Call.alert(5, at: 10, lifetime: 2))))
        #expect(tally.superseded == 2)
        #expect(tally.alertsSuperseded == 1)
        #expect(tally.alertsExpired == 1)
    }

    @Test(arguments: [false, true])
    func `Cards that wait together count each from when it could be reached`(byPages: Bool) throws {
        let tally = try tally(
            byPages: byPages,
            at(0, .phone("a"), .phone("b"), .local("a", name: "m"))
                + at(4, .fates([.refused(.missingProviderToken)])) + at(5, .call(Call.update(1)))
                + at(20, .local("b", name: "m")) + at(30, .resume))
        #expect(tally.accepted == 2)
        #expect(tally.ages.longest == 25)
        let shorter = try #require(tally.ages.quantile(0.5))
        #expect((10..<15).contains(shorter), "the other one's: \(shorter)")
    }
}
