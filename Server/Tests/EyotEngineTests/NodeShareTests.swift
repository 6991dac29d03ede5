import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import EyotEngine
import EyotTestKit
import ServiceLifecycle
import Testing

@Suite("Nodes that share the shards", .timeLimit(.minutes(10)))
struct NodeShareTests {
    private static let activities = 128

    /// Runs nodes on a store with activities in every shard, and stops them afterwards.
    private func run(
        _ count: Int, _ body: (NodeWorld, _ nodes: [ServiceGroup], _ gates: [Gates]) async throws -> Void
    ) async throws {
        let world = NodeWorld()
        try await world.fill(activities: Self.activities)
        let gates = (0..<count).map { _ in Gates() }
        let nodes = gates.indices.map { world.node("\($0)", through: gates[$0], among: .shared) }
        try await world.run(nodes, through: gates) { try await body(world, nodes, gates) }
        let targets = world.pushed.map { "\($0.token ?? []) \($0.second)" }
        #expect(Set(targets).count == targets.count, "no card gets two pushes in a second")
        #expect(try await world.store.read { try $0.nodeLeases().allSatisfy { $0.owner == nil } })
        #expect(try await world.store.read { try $0.nodes() } == [])
    }

    /// How many leases each node has.
    private func shares(_ world: NodeWorld) async throws -> [Int] {
        try await world.store.read { ledger in
            let leases = try ledger.nodeLeases()
            return try ledger.nodes().map { node in leases.count { $0.owner == node.id } }.sorted()
        }
    }

    private func declare(_ state: Int, _ world: NodeWorld) async throws {
        try await world.declare(state, activities: Self.activities)
        try await world.until { world.reached(state) == Self.activities }
    }

    @Test func `push for equal parts, each activity by one of them`() async throws {
        try await run(3) { world, _, _ in
            try await world.until { try await shares(world) == [21, 21, 22] }
            try await declare(2, world)
            let pushed = world.pushed.filter { $0.state == 2 }
            #expect(Set(pushed.map(\.node)).count == 3)
            #expect(pushed.count == Self.activities, "each once")
        }
    }

    @Test func `take the part of one that stops, in the next seconds`() async throws {
        try await run(3) { world, nodes, _ in
            try await world.until { try await shares(world) == [21, 21, 22] }
            await nodes[0].triggerGracefulShutdown()
            try await world.until { try await shares(world) == [32, 32] }
            try await declare(2, world)
            #expect(world.pushed.filter { $0.state == 2 }.allSatisfy { $0.node != "0" })
        }
    }

    @Test func `take the part of one that stands still, and it gets a part again when it goes on`() async throws {
        try await run(2) { world, _, gates in
            try await world.until { try await shares(world) == [32, 32] }
            gates[0].apple.close()
            try await world.declare(2, activities: Self.activities)
            try await world.until { gates[0].apple.waiting > 0 }
            gates[0].store.close()
            let stalled = world.clock.uptime
            try await world.until { world.reached(2) == Self.activities }
            #expect((world.clock.uptime - stalled).rounded() <= 15, "the other pushes within 15 seconds")
            #expect(world.pushed.filter { $0.state == 2 }.allSatisfy { $0.node == "1" })
            gates[0].open()
            try await world.until { try await shares(world) == [32, 32] }
            try await declare(3, world)
            #expect(Set(world.pushed.filter { $0.state == 3 }.map(\.node)).count == 2)
        }
    }

    @Test func `leave one alone that is drained, until it may take its part again`() async throws {
        try await run(2) { world, _, _ in
            try await world.until { try await shares(world) == [32, 32] }
            func drain(_ isDrained: Bool) async throws {
                try await world.store.write { ledger in
                    guard var node = try ledger.nodes().first(where: { $0.name == "0" }) else { return }
                    node.isDrained = isDrained
                    try ledger.put(node)
                }
            }
            try await drain(true)
            try await world.until { try await shares(world) == [0, 64] }
            try await declare(2, world)
            #expect(world.pushed.filter { $0.state == 2 }.allSatisfy { $0.node == "1" })
            try await drain(false)
            try await world.until { try await shares(world) == [32, 32] }
        }
    }

    @Test func `take the part of one whose machine has a wrong clock`() async throws {
        let world = NodeWorld()
        try await world.fill(activities: Self.activities)
        let wrong = NodePlace(among: .shared, name: "wrong", version: "1") { [clock = world.clock] in
            clock.now - 10_800
        }
        let nodes = [world.node("right", among: .shared), world.node("wrong", at: wrong)]
        try await world.run(nodes) {
            try await world.until { try await world.store.read { try $0.nodes().count } == 2 }
            try await world.pass(seconds: 20)
            try await world.until { try await shares(world) == [0, 64] }
            try await declare(2, world)
        }
    }

    @Test func `push nothing on a machine with a clock that differs from the store's, and go on when it agrees`()
        async throws
    {
        let world = NodeWorld()
        try await world.fill(activities: 4)
        let lead = Adjusted()
        let pushing = PushingState(at: world.clock.now)
        let place = NodePlace(among: .shared, name: "a", version: "1") { [clock = world.clock] in
            clock.now - lead.seconds
        }
        let node = world.node("a", at: place, pushing: pushing)
        try await world.run([node]) {
            try await world.until { world.reached(1) == 4 }
            lead.seconds = 2.5
            try await world.until { pushing.status(at: world.clock.now).wait == .clockApart }
            try await world.until { try await shares(world) == [0] }
            try await world.declare(2, activities: 4)
            try await world.pass(seconds: 20)
            #expect(world.reached(2) == 0)
            lead.seconds = -1.5
            try await world.until { world.reached(2) == 4 }
        }
    }
}
