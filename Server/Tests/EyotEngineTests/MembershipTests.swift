import EyotDomain
import Testing

@testable import EyotEngine

@Suite("The nodes that share the shards")
struct MembershipTests {
    private func node(_ name: String, beats: Int = 1, isDrained: Bool = false) -> NodeRecord {
        var node = NodeRecord(id: NodeID(rawValue: name), name: name, version: "1", at: Instant(second: 0))
        (node.beats, node.isDrained) = (beats, isDrained)
        return node
    }

    @Test(arguments: 1...9) func `take each shard once, and shares that differ by one at most`(count: Int) {
        let nodes = (0..<count).map { node("\($0)") }
        let shares = nodes.map { Membership.share(of: $0.id, among: nodes, in: .shared) }
        #expect(shares.map(\.count).reduce(0, +) == 64)
        #expect((shares.map(\.count).max() ?? 0) - (shares.map(\.count).min() ?? 0) <= 1)
        let taken = shares.flatMap { $0.order.prefix($0.count) }
        #expect(Set(taken).count == 64, "each node begins where the one before it ends")
    }

    @Test func `have none if they are drained, have a wrong clock or are unknown`() {
        var wrong = node("w")
        wrong.isClockApart = true
        let nodes = [node("a"), node("b", isDrained: true), node("c"), wrong]
        #expect(nodes.map { Membership.share(of: $0.id, among: nodes, in: .shared).count } == [32, 0, 32, 0])
        #expect(Membership.share(of: NodeID(rawValue: "d"), among: nodes, in: .shared).count == 0)
    }

    @Test func `live while their beats rise, whatever their clocks read`() {
        var membership = Membership()
        var beats = 1
        for uptime in stride(from: 0.0, through: 60, by: 1) {
            if Int(uptime).isMultiple(of: 3) { beats += 1 }
            let living = membership.note([node("a", beats: beats), node("b", beats: 7)], uptime: uptime).living
            #expect(living.contains { $0.name == "a" })
            #expect(living.contains { $0.name == "b" } == (uptime <= 8), "b is silent for \(uptime) s")
        }
        let after = membership.note([node("a", beats: beats), node("b", beats: 8)], uptime: 61).living
        #expect(after.map(\.name) == ["a", "b"], "it goes on")
        #expect(membership.note([node("b", beats: 8)], uptime: 900).forgotten == [NodeID(rawValue: "b")])
    }
}
