import EyotDomain
import EyotTestKit
import Synchronization
import Testing

@testable import EyotCommands

/// The list of running activities, which costs more the more of them run.
@Suite("Lists of running activities", .timeLimit(.minutes(10)))
struct RunningActivitiesTests {
    /// A clock that goes on by a step at each look.
    private final class SteppingClock: WallClock {
        private let state: Mutex<(moment: Instant, step: Double)>

        init(step: Double) { state = Mutex((Instant(second: 1_000), step)) }

        var now: Instant {
            state.withLock { state in
                defer { state.moment = state.moment + state.step }
                return state.moment
            }
        }

        func nap(until moment: Instant, atMost seconds: Double) async throws { throw CancellationError() }
    }

    /// A store that counts its reads.
    private struct CountedStore: WrappedStore {
        let base = MemoryStore()
        let reads = Mutexed()

        func read<Result: Sendable>(
            _ body: @escaping @Sendable (any Ledger) throws -> Result
        ) async throws -> Result {
            reads.note()
            return try await base.read(body)
        }
    }

    private final class Mutexed: Sendable {
        private let number = Mutex(0)

        var count: Int { number.withLock { $0 } }

        func note() { number.withLock { $0 += 1 } }
    }

    @Test(
        "A list is kept for twenty times as long as its reading took",
        arguments: [(0.0, 10), (1.0, 1), (0.001, 1)])
    func isKept(step: Double, reads: Int) async throws {
        let (store, lists, clock) = (CountedStore(), RunningActivities(), SteppingClock(step: step))
        for _ in 0..<10 { _ = try await lists.list(of: AppID(rawValue: 1), in: store, clock) }
        #expect(store.reads.count == reads)
    }

    @Test func `Each app has a list of its own, and a clock that is set back ends a list`() async throws {
        let (store, lists) = (CountedStore(), RunningActivities())
        let slow = SteppingClock(step: 10)
        for app in 1...3 { _ = try await lists.list(of: AppID(rawValue: Int64(app)), in: store, slow) }
        #expect(store.reads.count == 3)
        _ = try await lists.list(of: AppID(rawValue: 3), in: store, slow)
        #expect(store.reads.count == 3)
        _ = try await lists.list(of: AppID(rawValue: 3), in: store, SteppingClock(step: 0))
        #expect(store.reads.count == 4)
    }
}
