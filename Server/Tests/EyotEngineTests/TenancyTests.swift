import EyotDomain
import EyotTestKit
import Testing

@testable import EyotEngine

@Suite("A tenancy", .timeLimit(.minutes(10)))
struct TenancyTests {
    private let start = Instant(second: 1_000)

    private func begin(_ clock: any WallClock) async throws -> Tenancy {
        let (store, now) = (MemoryStore(), start)
        let entry = try await store.write {
            try Tenure.begin(by: NodeID(rawValue: "one"), in: $0, at: now, isAlone: true)
        }
        guard case .granted(let lease, let beginsAt) = entry else { throw TenureLost() }
        return Tenancy(
            try #require(Tenure(of: lease)), until: lease.until, beginsAt: beginsAt, store: store, clock: clock,
            pushing: PushingState(at: clock.now))
    }

    @Test func `keeps nothing of those who have waited, however often they did`() async throws {
        let tenancy = try await begin(SteppedClock(start))
        // Each is over at once: the clock stands where it is to wait for.
        for _ in 0..<100 { await tenancy.pause(seconds: 0) }
        #expect(tenancy.waiting == 0)
    }

    @Test func `lets those go who wait for its end when they are cancelled, and the others when it has come`()
        async throws
    {
        let tenancy = try await begin(SteppedClock(start))
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
}
