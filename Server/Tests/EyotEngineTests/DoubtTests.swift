import EyotDomain
import EyotTestKit
import Testing

/// A store that has forgotten what it knew last, as a standby that lacks the last commits.
@Suite("What may have left before the store was set back", .timeLimit(.minutes(10)))
struct DoubtTests {
    @Test func `is not started a second time until it can lead to no card any more (R6)`() async throws {
        let world = NodeWorld()
        try await world.fill()
        let interrupted = world.clock.now
        try await world.start()
        try await world.start("planned", at: interrupted + 60)
        try await world.store.write { ledger in
            let lease = NodeLease(
                owner: NodeID(rawValue: "former"), epoch: 3, renewedAt: interrupted, until: interrupted + 12)
            _ = try ledger.replace(nil, by: lease.interrupted(at: interrupted))
        }
        func starts() -> Int { world.pushed.count { $0.state == 9 } }
        try await world.run([world.node("next")]) {
            try await world.until { try await world.startState == .unknown }
            try await world.until { world.hasReached(1) }
            #expect(
                world.pushed.allSatisfy { $0.second >= interrupted.second + NodeLease.duration },
                "nothing leaves while a lease may run that the store has forgotten (R7)")
            #expect(starts() == 0)
            try await world.start("later")
            try await world.until { starts() == 1 }
            try await world.until(every: 1) { starts() == 2 }
            #expect(world.clock.now >= interrupted + 60, "the one that was planned for later")
            try await world.until(every: 1) { starts() == 3 }
            #expect(world.clock.now.seconds(since: interrupted) >= Lease.lifetime)
        }
    }

    @Test(arguments: [(false, -1.0), (true, -1), (false, 0)])
    func `does not sound a second time (R4)`(isUrgent: Bool, age: Double) throws {
        let (ledger, now) = (MemoryLedger(), Instant(second: 1_700_000_000))
        let app = ledger.insertApp(bundleID: "org.example.match", name: "Test", publicKey: "k", at: now).id
        var activity = ledger.insertActivity(
            named: "final", in: app, generation: 1, type: "Match", at: now)
        let alert = Alert(body: ["title": "Goal"], expiresAt: now + 300)
        var content = Content(state: ["n": 1], alert: alert)
        content.isUrgent = isUrgent
        ledger.insert(activity.declare(.state, content, at: now + age))
        let declared = try DeclarationReader(ledger, of: activity.id, doubts: now)(1)
        let isOver = try #require(declared?.content.alert).expiresAt <= now
        #expect(isOver == (!isUrgent && age < 0))
        #expect(try DeclarationReader(ledger, of: activity.id)(1)?.content.alert == alert)
    }

    @Test func `counts as unknown for its caller`() async throws {
        let world = NodeWorld()
        try await world.fill()
        try await world.start()
        let now = world.clock.now
        try await world.store.write { ledger in
            let lease = NodeLease(owner: nil, epoch: 3, renewedAt: now, until: now)
            _ = try ledger.replace(nil, by: lease.interrupted(at: now))
        }
        try await world.run([world.node("next")]) {
            try await world.until { try await world.startState == .unknown }
        }
        let tally = try await world.store.read { ledger in
            try ledger.apps().first.flatMap { try ledger.newestActivity(named: "started", in: $0.id) }?.tally
        }
        #expect(tally?.unknown == 1)
    }
}
