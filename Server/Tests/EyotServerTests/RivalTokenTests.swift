import EyotCommands
import EyotContract
import EyotDomain
import EyotServer
import EyotTestKit
import Synchronization
import Testing

@testable import EyotPostgres

/// The phones of one activity report at three nodes at the same time.
@Suite("Tokens of one activity at several nodes", .timeLimit(.minutes(10)))
struct RivalTokenTests {
    private static let phones = 240
    private static let begin = Instant(second: 1_671_375_600)

    /// An activity with a started card on every phone.
    private func fill(_ store: PostgresStore) async throws -> Activity {
        try await store.write { ledger in
            let app = try ledger.insertApp(bundleID: "org.example.match", name: "Test", publicKey: "k", at: Self.begin)
            var final = try ledger.insertActivity(
                named: "final", in: app.id, generation: 1, type: "Match", at: Self.begin)
            for number in 1...Self.phones {
                let device = try ledger.insert(.phone("phone-\(number)", in: app.id, at: Self.begin))
                var replica = Replica(
                    activity: final.id, ordinal: number, device: device.id, phase: .starting, createdAt: Self.begin)
                replica.lease = Lease(state: .accepted, version: 0)
                try ledger.insert(replica)
            }
            final.nextOrdinal = Self.phones + 1
            try ledger.update(final)
            return final
        }
    }

    /// Lets all phones report a card and then its token, and waits until every token is set.
    private func report(to nodes: [Registrations], of activity: Activity, in store: PostgresStore) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for node in nodes { group.addTask { await node.run() } }
            try await withThrowingTaskGroup(of: Void.self) { phones in
                for number in 1...Self.phones {
                    phones.addTask { try await report(phone: number, of: activity, to: nodes[number % nodes.count]) }
                }
                try await phones.waitForAll()
            }
            while try await store.read({ ledger in
                try ledger.replicas(of: activity.id, after: 0, limit: .max).contains { $0.phase != .live }
            }) {
                try Task.checkCancellation()
            }
            group.cancelAll()
        }
    }

    private func report(phone number: Int, of activity: Activity, to node: Registrations) async throws {
        let card = Card(instance: "card-\(number)", name: activity.name, type: "Match")
        let token = PushToken(bytes: [1, UInt8(number)])
        for (sequence, action) in [
            DeviceChange.Action.cardSeen(card), token.map { .setUpdateToken(card, token: $0) } ?? .logout,
        ].enumerated() {
            let batch = DeviceChangeBatch(epoch: 1, changes: [DeviceChange(sequence: sequence + 1, action: action)])
            let answer = try await node.apply(
                batch, of: DeviceID(rawValue: Int64(number)), in: activity.app, at: Self.begin + 5)
            #expect(answer.applied == sequence + 1)
        }
    }

    /// - Returns: How often a transaction ran again, by reports.
    private func repeats(_ limits: Registrations.Limits, dividing isDivided: Bool) async throws -> Double {
        let url = try await TestPostgres.shared.database()
        let stores = try (0..<3).map { _ in PostgresStore(try PostgresDatabase(url)) }
        let activity = try await fill(stores[0])
        let nodes = stores.enumerated().map { number, store in
            Registrations(
                store: store, clock: AdjustableClock(), limits: limits, merges: { _ in !isDivided || number == 0 }
            ) { Issue.record($0) }
        }
        try await report(to: nodes, of: activity, in: stores[0])
        let repeats = stores.reduce(0) { $0 + $1.committed.repeats }
        for store in stores { await store.close() }
        return Double(repeats) / Double(2 * Self.phones)
    }

    @Test func `Hardly a transaction runs twice, because they go into the log and one node merges them`() async throws {
        let found = try await repeats(.besideOthers, dividing: true)
        #expect(found < 0.1)
    }
}
