import EyotDomain
import EyotTestKit
import Testing

@Suite("A tenure")
struct TenureTests {
    private let one = NodeID(rawValue: "one")
    private let two = NodeID(rawValue: "two")
    private let now = Instant(second: 1_000)
    private let duration = Double(NodeLease.duration)

    private func begin(
        _ node: NodeID, of shard: Int = 0, in ledger: MemoryLedger, at moment: Instant
    ) throws -> Tenure {
        let entry = try Tenure.begin(of: shard, by: node, in: ledger, at: moment, isAlone: false)
        guard case .granted(let lease, _) = entry else { throw TenureLost() }
        return try #require(Tenure(of: lease))
    }

    private func hold(_ tenures: Tenure..., in ledger: MemoryLedger, at moment: Instant) throws -> HeldLeases {
        try Tenure.hold(tenures, of: .shared, in: ledger, at: moment)
    }

    @Test func `writes while it is held, and extends itself on the way`() throws {
        let ledger = MemoryLedger()
        let tenure = try begin(one, in: ledger, at: now)
        #expect(try hold(tenure, in: ledger, at: now + 1).end(of: 0) == now + duration)
        let later = now + duration / 2 + 1
        #expect(try hold(tenure, in: ledger, at: later).end(of: 0) == later + duration)
        #expect(ledger.nodeLease(of: 0)?.until == later + duration)
    }

    @Test func `goes on where it has run out and no other node took it`() throws {
        let ledger = MemoryLedger()
        let tenure = try begin(one, in: ledger, at: now)
        #expect(try hold(tenure, in: ledger, at: now + 100).end(of: 0) == now + 100 + duration)
    }

    @Test func `writes nothing any more when another has begun, also one of the same node`() throws {
        let ledger = MemoryLedger()
        let former = try begin(one, in: ledger, at: now)
        let latter = try begin(one, in: ledger, at: now + duration)
        #expect(throws: TenureLost([0])) { try hold(former, in: ledger, at: now + duration + 1) }
        #expect(throws: TenureLost([0])) { try former.end(in: ledger, at: now + duration + 1) }
        #expect(try hold(latter, in: ledger, at: now + duration + 1).ends.count == 1)
        #expect(ledger.nodeLease(of: 0)?.epoch == 2)
    }

    @Test func `that was ended is over, and the next one begins in the next second`() throws {
        let ledger = MemoryLedger()
        let tenure = try begin(one, in: ledger, at: now)
        try tenure.end(in: ledger, at: now + 3.5)
        #expect(throws: TenureLost([0])) { try hold(tenure, in: ledger, at: now + 3.6) }
        #expect(throws: TenureLost()) { try begin(two, in: ledger, at: now + 3.9) }
        #expect(try begin(two, in: ledger, at: now + 4).epoch == 2)
    }

    @Test func `of several shards are held together, and a lost one is named`() throws {
        let ledger = MemoryLedger()
        let (first, second) = (try begin(one, of: 3, in: ledger, at: now), try begin(one, of: 5, in: ledger, at: now))
        let held = try hold(first, second, in: ledger, at: now + 1)
        #expect(held.ends == [3: now + duration, 5: now + duration])
        #expect(held.end(of: 4) == Instant(second: 0), "nothing leaves for a shard that is not held")
        _ = try begin(two, of: 5, in: ledger, at: now + duration)
        #expect(throws: TenureLost([5])) { try hold(first, second, in: ledger, at: now + duration + 1) }
        #expect(try hold(first, in: ledger, at: now + duration + 1).ends.count == 1)
    }
}
