import EyotDomain
import Testing

@Suite("The lease of a node")
struct NodeLeaseTests {
    private let one = NodeID(rawValue: "one")
    private let two = NodeID(rawValue: "two")
    private let now = Instant(second: 1_000) + 0.5

    private func granted(
        _ node: NodeID, after former: NodeLease?, at moment: Instant, isAlone: Bool = false,
        isAbandoned: Bool = false
    ) throws -> (lease: NodeLease, beginsAt: Instant) {
        let entry = NodeLease.entry(of: node, after: former, at: moment, isAlone: isAlone, isAbandoned: isAbandoned)
        guard case .granted(let lease, let beginsAt) = entry else {
            throw TenureLost()
        }
        return (lease, beginsAt)
    }

    @Test func `is had at once where nobody ever had it`() throws {
        let (lease, beginsAt) = try granted(one, after: nil, at: now)
        #expect((lease.owner, lease.epoch, lease.until) == (one, 1, Instant(second: 1_012)))
        #expect(beginsAt == now)
    }

    @Test func `is another node's only from the second on in which it ends`() throws {
        let lease = try granted(one, after: nil, at: now).lease
        let early = NodeLease.entry(of: two, after: lease, at: lease.until - 0.001, isAlone: false)
        #expect(early == .held(until: lease.until))
        let (next, beginsAt) = try granted(two, after: lease, at: lease.until)
        #expect((next.owner, next.epoch) == (two, 2))
        #expect(beginsAt == lease.until)
        #expect(Tenure(of: next) != Tenure(of: lease))
    }

    @Test func `of a dead process goes on in the next second, and not in one that the dead may have used`() throws {
        let lease = try granted(one, after: nil, at: now).lease
        #expect(try granted(two, after: lease, at: now + 0.2, isAlone: true).beginsAt == Instant(second: 1_001))
        let back = try granted(two, after: lease, at: now - 10, isAlone: true)
        #expect(back.beginsAt == Instant(second: 1_002), "the clock was set back")
        #expect(back.lease.until == Instant(second: 1_014))
    }

    @Test func `is extended when less than half of it is left, and never cut short`() throws {
        let lease = try granted(one, after: nil, at: now).lease
        #expect(lease.extended(at: now) == nil)
        #expect(lease.extended(at: now + 5) == nil)
        #expect(lease.extended(at: now - 10) == nil, "the clock was set back")
        let later = try #require(lease.extended(at: now + 6.5))
        #expect((later.owner, later.epoch, later.until) == (one, 1, Instant(second: 1_019)))
        #expect(lease.extended(at: now + 86_400)?.until == Instant(second: 87_412), "no other node took it")
    }

    @Test func `that was given back is the next node's in the next second`() throws {
        let lease = try granted(one, after: nil, at: now).lease.released(at: now + 2)
        #expect(Tenure(of: lease) == nil)
        #expect(lease.until == Instant(second: 1_003))
        #expect(try granted(two, after: lease, at: lease.until).beginsAt == lease.until)
        let back = try granted(one, after: nil, at: now).lease.released(at: now - 60)
        #expect(back.until == Instant(second: 941), "the clock was set back, and cards carry their own seconds")
    }

    @Test(
        "from a clock that was ahead delays its successor by no more than a lease runs (R7)", arguments: [45.0, 10_800])
    func isBounded(lead: Double) throws {
        let lease = try granted(one, after: nil, at: now + lead).lease
        let (next, beginsAt) = try granted(two, after: lease, at: now, isAlone: true)
        #expect(beginsAt == Instant(second: 1_012))
        #expect(next.until.seconds(since: now) <= NodeLease.longestLead)
        #expect(next.extended(at: now) == nil)
        #expect(lease.setBack(at: now)?.seconds == lead)
        #expect(next.setBack(at: now) == nil)
    }

    @Test func `of another node from a clock that was ahead is taken once it was not extended for long`() throws {
        let lease = try granted(one, after: nil, at: now + 10_800).lease
        let held = NodeLease.entry(of: two, after: lease, at: now, isAlone: false)
        #expect(held == .held(until: lease.until))
        let (next, beginsAt) = try granted(two, after: lease, at: now, isAbandoned: true)
        #expect((next.owner, next.epoch, beginsAt) == (two, 2, Instant(second: 1_001)))
        let right = try granted(one, after: nil, at: now).lease
        let entry = NodeLease.entry(of: two, after: right, at: now, isAlone: false, isAbandoned: true)
        #expect(entry == .held(until: right.until), "one that a right clock has written just runs out")
    }

    @Test func `that is held when the clock is set back is brought back to the time that it runs`() throws {
        let lease = try granted(one, after: nil, at: now + 10_800).lease
        let brought = try #require(lease.extended(at: now))
        #expect((brought.owner, brought.epoch, brought.renewedAt) == (one, 1, now))
        #expect(brought.until == Instant(second: 1_012))
    }
}
