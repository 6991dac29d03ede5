import EyotDomain
import EyotSQLite
import EyotTestKit
import HTTPTypes
import Testing

@testable import EyotHTTP

/// Every call of every plane, while the database fails in the middle of it.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `While the database fails` {
    @Test func `A call is refused so that it can be repeated, or answered as if the database did not fail`()
        async throws
    {
        let outage = Outage()
        let store = SQLiteStore(try SQLiteDatabase())
        func failing(_: MemoryStore) -> any Store { FailingStore(base: store, outage: outage) }
        try await Rig.run(wrapping: failing) { rig in
            let callers = try await FuzzedCallers(in: rig)
            let calls = try callers.seeds.map { try callers.call($0, rig) }
            var refused = 0
            // What removes comes last, so that the others find what they call for.
            for call in calls.filter({ $0.method != .delete }) + calls.filter({ $0.method == .delete }) {
                let statuses = try await statuses(of: call, in: outage, rig)
                if statuses.contains(503) { refused += 1 }
                let others = statuses.filter { $0 != 503 }
                #expect(Set(others).count == 1 && (others.first ?? 500) < 500, "\(statuses): \(call)")
            }
            #expect(refused > calls.count * 9 / 10, "of \(calls.count)")
        }
        try await store.close()
    }

    /// The answers to a call while the database fails before its first statement, before the second one and so on. The
    /// last answer is that without an outage.
    private func statuses(of call: FuzzedCall, in outage: Outage, _ rig: Rig) async throws -> [Int] {
        var statuses: [Int] = []
        repeat {
            outage.begin(afterStatements: statuses.count)
            statuses.append(try await call.perform(rig).status)
        } while outage.end()
        return statuses
    }
}
