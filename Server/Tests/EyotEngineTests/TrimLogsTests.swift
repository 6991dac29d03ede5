import EyotDomain
import EyotEngine
import EyotTestKit
import Testing

@Suite("What logs have beyond their limits")
struct TrimLogsTests {
    private static let surplus = 2 * Prune.rows + 1

    @Test func `goes, oldest first and of each app alone`() async throws {
        let (store, clock) = (MemoryStore(), LeapingClock())
        let limit = AppLog.identityFailures.limit
        let apps = try await store.write { [now = clock.now] ledger in
            let apps = try ["a", "b"].map {
                try ledger.insertApp(bundleID: $0, name: $0, publicKey: $0, at: now).id
            }
            for (app, count) in zip(apps, [limit + Self.surplus, limit]) {
                for number in 1...count {
                    try ledger.note(
                        IdentityFailure(
                            app: app, device: DeviceID(rawValue: 1), user: "\(number)", fault: .expired,
                            isRefused: true, at: now))
                }
            }
            return apps
        }
        let start = clock.now
        try await TrimLogs(store, clock: clock, pause: 1)()
        for (app, oldest) in zip(apps, [Self.surplus + 1, 1]) {
            let kept = try await store.read { try $0.identityFailures(of: app, before: nil, limit: .max) }
            #expect(kept.count == limit)
            #expect(kept.last?.user == "\(oldest)")
        }
        #expect(clock.now.seconds(since: start) == 2, "other writers get their turn between transactions")
    }
}
