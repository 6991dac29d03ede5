import EyotDomain
import EyotEngine
import ServiceLifecycle
import Testing

@Suite("Nodes on one store", .timeLimit(.minutes(10)))
struct NodeTests {
    /// Runs two nodes, the first of which has the lease and has pushed the first state.
    private func runTwo(
        _ body: (NodeWorld, _ first: ServiceGroup, _ gates: Gates) async throws -> Void
    ) async throws {
        let (world, gates) = (NodeWorld(), Gates())
        try await world.fill()
        let first = world.node("first", through: gates)
        try await world.run([first], through: [gates]) {
            try await world.until { world.hasReached(1) }
            try await world.run([world.node("second")]) { try await body(world, first, gates) }
        }
        #expect(world.pushed.allSatisfy { $0.node == "first" || $0.state != 1 })
        // No card gets two pushes in a second, and no card gets the same state twice.
        #expect(Set(world.pushed.map { "\($0.token ?? []) \($0.second)" }).count == world.pushed.count)
        #expect(Set(world.pushed.map { "\($0.token ?? []) \($0.state ?? 0)" }).count == world.pushed.count)
    }

    @Test func `one of them pushes, and goes on also where it has nothing to do for long`() async throws {
        try await runTwo { world, _, _ in
            try await world.pass(seconds: 100)
            try await world.declare(2)
            try await world.until { world.hasReached(2) }
            #expect(world.pushed.allSatisfy { $0.node == "first" })
            #expect(try await world.lease?.epoch == 1)
        }
    }

    @Test func `one that is stopped gives the lease back, and another goes on in the next second`() async throws {
        try await runTwo { world, first, _ in
            let before = try #require(try await world.lease)
            await first.triggerGracefulShutdown()
            var seen: [NodeLease] = []
            try await world.until {
                if let lease = try await world.lease, lease != seen.last { seen.append(lease) }
                return seen.last?.epoch == 2
            }
            let returned = try #require(seen.first { $0.owner == nil })
            #expect(returned.until < before.until)
            try await world.declare(2)
            try await world.until { world.hasReached(2) }
            #expect(world.pushed.filter { $0.state == 2 }.allSatisfy { $0.node == "second" })
        }
    }

    @Test func `one whose store fails for a moment remembers what Apple took, for cards and channels`() async throws {
        try await runTwo { world, _, gates in
            gates.apple.close()
            try await world.declare(2)
            try await world.until { gates.apple.waiting == 2 }
            gates.storeFails = true
            gates.apple.open()
            try await world.until { world.hasReached(2) }
            try await world.pass(seconds: 3)
            gates.storeFails = false
            try await world.pass(seconds: 60)
        }
    }

    @Test func `one whose store fails for longer does not know what became of a start, and says so (R6)`() async throws
    {
        let world = NodeWorld()
        let gates = Gates()
        try await world.fill()
        let node = world.node("alone", through: gates, isAlone: true)
        try await world.run([node]) {
            try await world.until { world.hasReached(1) }
            gates.apple.close()
            try await world.start()
            try await world.until { gates.apple.waiting == 1 }
            #expect(try await world.startState == .sent)
            gates.storeFails = true
            gates.apple.open()
            try await world.pass(seconds: 15)
            gates.storeFails = false
            try await world.until { try await world.startState == .unknown }
            try await world.declare(2)
            try await world.until { world.hasReached(2) }
            #expect(world.pushed.count { $0.state == 9 } == 1)
        }
    }

    @Test func `one that stalls is followed by another, and pushes nothing when it goes on`() async throws {
        try await runTwo { world, _, gates in
            gates.store.close()
            try await world.declare(2)
            try await world.until { world.hasReached(2) }
            #expect(world.pushed.filter { $0.state == 2 }.allSatisfy { $0.node == "second" })
            gates.open()
            try await world.declare(3)
            try await world.until { world.hasReached(3) }
            // The older node gets its share again when it is there.
            try await world.until { try await world.lease?.epoch == 3 }
            try await world.pass(seconds: 30)
        }
    }

    @Test func `what one holds in its hands when it stalls does not leave after its lease`() async throws {
        try await runTwo { world, _, gates in
            gates.apple.close()
            try await world.declare(2)
            try await world.until { gates.apple.waiting > 0 }
            gates.store.close()
            try await world.until { world.hasReached(2) }
            let before = world.pushed
            gates.open()
            try await world.pass(seconds: 30)
            #expect(world.pushed == before)
        }
    }

    @Test func `one that is alone writes nothing while it has nothing to do`() async throws {
        let world = NodeWorld()
        try await world.fill()
        let node = world.node("alone", isAlone: true)
        try await world.run([node]) {
            try await world.until { world.hasReached(1) }
            try await world.pass(seconds: 30)
            let commits = await world.store.commits
            try await world.pass(seconds: 600)
            #expect(await world.store.commits == commits)
            try await world.declare(2)
            try await world.until { world.hasReached(2) }
        }
        #expect(try await world.lease?.owner == nil)
    }

    @Test func `one that cannot read a key for a while suspends nobody, and goes on by itself`() async throws {
        let (world, gates) = (NodeWorld(), Gates())
        try await world.fill()
        gates.keysFail = true
        let node = world.node("alone", through: gates, isAlone: true)
        try await world.run([node]) {
            try await world.pass(seconds: 20)
            #expect(world.pushed.isEmpty)
            #expect(try await world.store.read { try $0.apps().allSatisfy { $0.pauses.isEmpty } })
            gates.keysFail = false
            try await world.until { world.hasReached(1) }
        }
    }

    @Test func `one that is alone does not wait for the lease of a process that is gone`() async throws {
        let world = NodeWorld()
        try await world.fill()
        let dead = NodeID(rawValue: "dead")
        let start = NodeWorld.start
        let entry = try await world.store.write {
            try Tenure.begin(by: dead, in: $0, at: start, isAlone: false)
        }
        #expect(entry == .granted(try #require(try await world.lease), beginsAt: start))
        let node = world.node("alone", isAlone: true)
        try await world.run([node]) {
            try await world.until { world.hasReached(1) }
            let seconds = world.pushed.map { $0.second - NodeWorld.start.second }
            #expect(seconds.allSatisfy { (1..<NodeLease.duration).contains($0) }, "\(seconds)")
        }
    }
}
