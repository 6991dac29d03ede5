import EyotDomain
import EyotEngine
import EyotTestKit
import Logging
import Testing

@testable import EyotServer

@Suite("The pruner")
struct PrunerTests {
    @Test(.timeLimit(.minutes(10)))
    func `Rounds go on until what was accepted is over and gone, and end with the server`()
        async throws
    {
        let (store, clock) = (MemoryStore(), LeapingClock())
        let app = try await store.write { ledger in
            let app = try ledger.insertApp(bundleID: "b", name: "n", publicKey: "k", at: clock.now).id
            _ = try ledger.insert(
                Operation(
                    app: app, verb: .end, name: "m", activity: nil, generation: 1, version: 1, outcome: .applied,
                    acceptedAt: clock.now))
            return app
        }
        let start = clock.now
        let pruner = Pruner(
            store: store, clock: clock, retention: { Retention(operationDays: 2, endedDays: 1, deviceDays: 1) },
            pushing: PushingState(at: clock.now), logger: Logger(label: "test"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await pruner.run() }
            while try await store.read({ try $0.operation(1, in: app) }) != nil {
                try Task.checkCancellation()
                await Task.yield()
            }
            #expect(clock.now >= start + 2 * 86_400)
            group.cancelAll()
            try await group.waitForAll()
        }
    }
}
