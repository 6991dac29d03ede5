import APNSWire
import EyotContract
import EyotDomain
import EyotTestKit
import Logging
import Synchronization
import Testing

@testable import EyotEngine

@Suite("The engine's clock", .timeLimit(.minutes(10)))
struct EngineClockTests {
    /// A clock on which each nap ends at once, at the time for which it was to last. The third nap sets the clock back
    /// by many days.
    private final class SteppingClock: WallClock {
        static let start = Instant(second: 1_700_000_000)
        static let step = 1_000_000.0
        private let state = Mutex((now: start, naps: 0))

        var now: Instant { state.withLock(\.now) }
        var isSetBack: Bool { state.withLock { $0.naps >= 3 } }

        func nap(until moment: Instant, atMost seconds: Double) async throws {
            try Task.checkCancellation()
            state.withLock { state in
                state.naps += 1
                if state.naps == 3 { state.now = state.now - Self.step }
                state.now = max(state.now, min(moment, state.now + seconds))
            }
            await Task.yield()
        }
    }

    /// Takes everything, and says when it came.
    private struct TimingPusher: Pusher {
        let clock: SteppingClock
        let pushed: AsyncStream<Instant>.Continuation

        func push(
            _ page: PushPage, with key: PushCredentials, early: (@Sendable (PageVerdicts) -> Void)?
        ) async -> PageVerdicts {
            pushed.yield(clock.now)
            return PageVerdicts(count: page.count, .accepted)
        }
    }

    @Test func `What becomes due after the clock was set back does not wait for the time before that`() async throws {
        let (store, clock) = (MemoryStore(), SteppingClock())
        let (moments, pushed) = AsyncStream.makeStream(of: Instant.self)
        let logger = Logger(label: "test")
        let engine = Engine(
            pusher: TimingPusher(clock: clock, pushed: pushed),
            credentials: { _, _ in PushCredentials(teamID: "T", keyID: "K", privateKey: Secret("")) }, clock: clock,
            logger: logger)
        let node = Node(store: store, workers: [engine], place: .alone, clock: clock, logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await node.run() }
            while !clock.isSetBack {
                try Task.checkCancellation()
                await Task.yield()
            }
            let now = clock.now
            try await store.write { ledger in
                let app = try ledger.insertApp(bundleID: "b", name: "n", publicKey: "k", at: now)
                var activity = try ledger.insertActivity(named: "m", in: app.id, generation: 1, type: "T", at: now)
                let device = try ledger.insert(.phone("i", in: app.id, at: now))
                var replica = Replica(
                    activity: activity.id, ordinal: 1, device: device.id, phase: .live, createdAt: now)
                replica.token = PushToken(bytes: [1]).map {
                    UpdateToken(token: $0, environment: .sandbox, version: 1, setAt: now)
                }
                try ledger.insert(replica)
                activity.nextOrdinal = 2
                // No hint announces the declaration. The engine finds it when it looks in the store.
                try ledger.insert(activity.declare(.state, Content(state: ["n": 1]), at: now))
                try ledger.update(activity)
            }
            var first = moments.makeAsyncIterator()
            let moment = try #require(await first.next())
            #expect(SteppingClock.start.seconds(since: moment) > SteppingClock.step / 2)
            group.cancelAll()
        }
    }
}
