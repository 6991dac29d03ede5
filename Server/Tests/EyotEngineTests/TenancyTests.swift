import EyotDomain
import EyotTestKit
import Testing

@testable import EyotEngine

@Suite("A tenancy", .timeLimit(.minutes(10)))
struct TenancyTests {
    private let start = Instant(second: 1_000)

    private func tenancy(_ clock: any WallClock) -> Tenancy {
        Tenancy(
            of: .shared, workers: 2, store: MemoryStore(), clock: clock, pushing: PushingState(at: clock.now))
    }

    /// A lease that a node has taken.
    private func lease(of shard: Int) -> NodeLease {
        NodeLease(shard: shard, owner: NodeID(rawValue: "one"), epoch: 1, renewedAt: start, until: start + 12)
    }

    @Test func `keeps nothing of the tasks that have waited, however often they did`() async throws {
        let tenancy = tenancy(SteppedClock(start))
        // Each is over at once: the clock stands where it is to wait for.
        for _ in 0..<100 { await tenancy.pause(seconds: 0) }
        #expect(tenancy.waiting == 0)
    }

    @Test func `lets tasks go that wait for its end when they are cancelled, and the others when it has come`()
        async throws
    {
        let tenancy = tenancy(SteppedClock(start))
        let cancelled = Task { await tenancy.ended() }
        let others = (0..<3).map { _ in Task { await tenancy.pause(seconds: 1_000) } }
        while tenancy.waiting < 4 { await Task.yield() }
        cancelled.cancel()
        await cancelled.value
        #expect(tenancy.waiting == 3)
        tenancy.end()
        for other in others { await other.value }
        #expect(tenancy.waiting == 0)
    }

    @Test func `gives a shard back when all workers have left it, and not before`() {
        let tenancy = tenancy(SteppedClock(start))
        let workers = [tenancy.join(), tenancy.join()]
        tenancy.add([lease(of: 1), lease(of: 2), lease(of: 3)])
        tenancy.serve([1, 2])
        for worker in workers { #expect(tenancy.served(by: worker) == [1, 2]) }
        tenancy.giveBack([1, 3])
        #expect(tenancy.served == [2])
        #expect(tenancy.takeLeft().kept.map(\.shard) == [3], "no worker has served it")
        for _ in 0..<2 { tenancy.leave([1], by: workers[0]) }
        #expect(tenancy.takeLeft().kept.isEmpty, "one worker has left")
        tenancy.leave([1], by: workers[1])
        #expect(tenancy.takeLeft().kept.map(\.shard) == [1])
        #expect(tenancy.held == [2])
    }

    @Test func `waits for no worker that was not told of a shard before it was given back`() {
        let tenancy = tenancy(SteppedClock(start))
        let (quick, slow) = (tenancy.join(), tenancy.join())
        tenancy.add([lease(of: 1), lease(of: 2)])
        tenancy.serve([1, 2])
        #expect(tenancy.served(by: quick) == [1, 2])
        tenancy.giveBack([1])
        #expect(tenancy.served(by: slow) == [2])
        #expect(tenancy.takeLeft().kept.isEmpty)
        tenancy.leave([1], by: quick)
        #expect(tenancy.takeLeft().kept.map(\.shard) == [1])
    }

    @Test func `writes nothing for a shard without a tenure, and leaves one that is lost`() async throws {
        let tenancy = tenancy(SteppedClock(start))
        tenancy.add([lease(of: 1)])
        tenancy.serve([1])
        let workers = [tenancy.join(), tenancy.join()]
        for worker in workers { _ = tenancy.served(by: worker) }
        await #expect(throws: TenureLost([2])) { try await tenancy.write(for: [2]) { _, _ in } }
        // The store knows no such lease.
        await #expect(throws: TenureLost([1])) { try await tenancy.write(for: [1]) { _, _ in } }
        #expect(tenancy.served.isEmpty)
        for worker in workers { tenancy.leave([1], by: worker) }
        let left = tenancy.takeLeft()
        #expect(left.kept.isEmpty && left.lost == [1])
    }
}
