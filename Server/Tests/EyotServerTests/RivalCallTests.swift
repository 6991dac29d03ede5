import EyotCommands
import EyotDomain
import EyotServer
import EyotStore
import EyotTestKit
import Testing

@testable import EyotPostgres

/// Calls of one app that are recorded and may be repeated, at several nodes at the same time.
@Suite("Recorded calls of one app at several nodes", .timeLimit(.minutes(10)))
struct RivalCallTests {
    private static let calls = 600
    private static let begin = Instant(second: 1_671_375_600)

    private static func call(_ name: String, of app: AppID, _ ledger: any Ledger) throws {
        let request = Idempotency(key: name, digest: Array(name.utf8))
        let act = {
            try ledger.note(
                AuditEntry(
                    app: app, at: begin, key: 1, hint: "eyot_sk", method: "PUT", route: "/v1/users/{user}",
                    subject: name, status: 200, address: nil))
            return KeptAnswer(status: 200, body: nil)
        }
        let once = AnswerOnce(Transaction(ledger, at: begin), app: app)
        _ = try once(request, repeating: { $0 }, keeping: { $0 }, act: act)
    }

    /// - Returns: How often a transaction ran again, by calls.
    private func repeats(_ rules: PostgresRules) async throws -> Double {
        let url = try await TestPostgres.shared.database()
        // Many short transactions run beside each other.
        var limits = GroupCommitLimits()
        limits.batch = 1
        let stores = try (0..<3).map { _ in PostgresStore(try PostgresDatabase(url), limits: limits, rules: rules) }
        let app = try await stores[0].write { ledger in
            let app = try ledger.insertApp(bundleID: "b", name: "n", publicKey: "k", at: Self.begin).id
            // Calls with neighbouring keys are in conflict, which is rare when there are many.
            for number in 0..<5_000 { try Self.call("\(number * 7_919 % 5_000) before", of: app, ledger) }
            return app
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<Self.calls {
                let store = stores[number % stores.count]
                group.addTask { try await store.write { try Self.call("\(number * 7_919 % 5_000)", of: app, $0) } }
            }
            try await group.waitForAll()
        }
        let made = try await stores[0].read { try $0.auditEntries(of: app, before: nil, limit: Self.calls + 1) }
        #expect(Set(made.prefix(Self.calls).map(\.subject)).count == Self.calls)
        let repeats = stores.reduce(0) { $0 + $1.committed.repeats }
        for store in stores { await store.close() }
        return Double(repeats) / Double(Self.calls)
    }

    @Test func `Hardly a transaction runs twice, because none reads the numbers of others`() async throws {
        #expect(try await repeats(PostgresRules()) < 0.1)
        var counting = PostgresRules()
        counting.numbersEvents = false
        #expect(try await repeats(counting) > 0.1, "numbers that each transaction counts would not do")
    }
}
