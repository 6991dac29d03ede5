import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import Synchronization
import Testing

@Suite("An arrival that cannot be merged", .timeLimit(.minutes(10)))
struct UnmergeableArrivalTests {
    /// Undoes whatever gives this card its token.
    private struct PickyStore: WrappedStore {
        static let card = "card-7"

        let base: MemoryStore

        func write<Result: Sendable>(
            _ body: @escaping @Sendable (any Ledger) throws -> Result
        ) async throws -> Result {
            try await base.write { ledger in
                let result = try body(ledger)
                for device in try ledger.devices(after: DeviceID(rawValue: 0), limit: 99)
                where try ledger.replica(ofInstance: Self.card, on: device.id)?.token != nil {
                    throw EyotError(.internalFault, "this one cannot be merged")
                }
                return result
            }
        }
    }

    private let store = MemoryStore()
    private let clock = LeapingClock()

    /// An app with cards that wait for their tokens, which lie in the log.
    private func app(_ name: String, cards: [Int]) async throws -> AppID {
        let now = clock.now
        return try await store.write { ledger in
            let app = try ledger.insertApp(bundleID: name, name: name, publicKey: name, at: now).id
            var activity = try ledger.insertActivity(named: "final", in: app, generation: 1, type: "Match", at: now)
            var answer = AnswerArrivals(Transaction(ledger, at: now))
            for (index, number) in cards.enumerated() {
                let device = try ledger.insert(.phone("phone-\(number)", in: app, at: now))
                var replica = Replica(
                    activity: activity.id, ordinal: index + 1, device: device.id, phase: .waitingForToken,
                    createdAt: now)
                replica.instance = "card-\(number)"
                try ledger.insert(replica)
                activity.nextOrdinal = index + 2
                try ledger.update(activity)
                let token = try #require(PushToken(bytes: [1, UInt8(number)]))
                let card = Card(instance: "card-\(number)", name: "final", type: "Match")
                let change = DeviceChange(sequence: 3, action: .setUpdateToken(card, token: token))
                let batch = DeviceChangeBatch(epoch: 1, changes: [change])
                try ledger.append([#require(try answer(batch, of: device.id)).arrival])
            }
            return app
        }
    }

    @Test("keeps no other app's waiting, be it the only one of its own", arguments: [true, false])
    func isLeftAside(_ isFirst: Bool) async throws {
        let others = [1, 2, 3]
        let first = try await app("one", cards: isFirst ? [7] : others)
        let second = try await app("two", cards: isFirst ? others : [7])
        let (bad, good) = isFirst ? (first, second) : (second, first)
        let complaints = Atomic(0)
        let registrations = Registrations(store: PickyStore(base: store), clock: clock) { _ in
            complaints.wrappingAdd(1, ordering: .relaxed)
        }
        let run = Task { await registrations.run() }
        for _ in 0..<100_000 where try await store.read({ try $0.arrivalSpan(of: good) }) > 0 { await Task.yield() }
        run.cancel()
        await run.value
        try await store.read { ledger in
            #expect(try ledger.arrivalSpan(of: good) == 0)
            #expect(try ledger.arrivalSpan(of: bad) == 1)
            let tokens = try ledger.activities(after: ActivityID(rawValue: 0), limit: 9).filter { $0.app == good }
                .flatMap { try ledger.replicas(of: $0.id, after: 0, limit: 9).compactMap(\.token) }
            #expect(tokens.count == others.count)
        }
        #expect(complaints.load(ordering: .relaxed) > 0)
    }

    @Test func `is told of each time where there is nothing else`() async throws {
        let bad = try await app("one", cards: [7])
        let complaints = Atomic(0)
        let registrations = Registrations(store: PickyStore(base: store), clock: clock) { _ in
            complaints.wrappingAdd(1, ordering: .relaxed)
        }
        let run = Task { await registrations.run() }
        for _ in 0..<100_000 where complaints.load(ordering: .relaxed) < 3 { await Task.yield() }
        run.cancel()
        await run.value
        #expect(complaints.load(ordering: .relaxed) >= 3)
        #expect(try await store.read { try $0.arrivalSpan(of: bad) } == 1)
    }
}
