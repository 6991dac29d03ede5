import EyotDomain
import EyotTestKit
import Testing

@Suite("A tenure")
struct TenureTests {
    private let one = NodeID(rawValue: "one")
    private let two = NodeID(rawValue: "two")
    private let now = Instant(second: 1_000)

    private func begin(_ node: NodeID, in ledger: MemoryLedger, at moment: Instant) throws -> Tenure {
        let entry = try Tenure.begin(by: node, in: ledger, at: moment, isAlone: false)
        guard case .granted(let lease, _) = entry else { throw TenureLost() }
        return try #require(Tenure(of: lease))
    }

    @Test func `writes while it is held, and extends itself on the way`() throws {
        let ledger = MemoryLedger()
        let tenure = try begin(one, in: ledger, at: now)
        #expect(try tenure.hold(in: ledger, at: now + 1).until == now + 20)
        #expect(try tenure.hold(in: ledger, at: now + 11).until == now + 31)
        #expect(ledger.nodeLease(of: NodeLease.wholeStore)?.until == now + 31)
    }

    @Test func `goes on where it has run out and nobody took it`() throws {
        let ledger = MemoryLedger()
        let tenure = try begin(one, in: ledger, at: now)
        #expect(try tenure.hold(in: ledger, at: now + 100).until == now + 120)
    }

    @Test func `writes nothing any more when another has begun, also one of the same node`() throws {
        let ledger = MemoryLedger()
        let former = try begin(one, in: ledger, at: now)
        let latter = try begin(one, in: ledger, at: now + 20)
        #expect(throws: TenureLost.self) { try former.hold(in: ledger, at: now + 21) }
        #expect(throws: TenureLost.self) { try former.end(in: ledger, at: now + 21) }
        #expect(try latter.hold(in: ledger, at: now + 21).epoch == 2)
    }

    @Test func `that was ended is over, and the next one begins in the next second`() throws {
        let ledger = MemoryLedger()
        let tenure = try begin(one, in: ledger, at: now)
        try tenure.end(in: ledger, at: now + 3.5)
        #expect(throws: TenureLost.self) { try tenure.hold(in: ledger, at: now + 3.6) }
        #expect(throws: TenureLost.self) { try begin(two, in: ledger, at: now + 3.9) }
        #expect(try begin(two, in: ledger, at: now + 4).epoch == 2)
    }
}
