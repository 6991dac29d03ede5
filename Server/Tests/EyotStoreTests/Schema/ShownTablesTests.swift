import EyotContract
import EyotDomain
import EyotSQLite
import EyotTestKit
import GRDB
import Testing

@testable import EyotStore

/// An upgrade counts what cards show as the program counts it.
@Suite("Numbers of what is shown, after an upgrade")
struct ShownTablesTests {
    private static let now = Instant(second: 1_700_000_000)

    /// An activity with a card of each kind that is told apart, on phones that have reported version 2.
    private func fill(_ ledger: any Ledger) throws -> (App, Activity) {
        let app = try ledger.insertApp(bundleID: "org.example", name: "one", publicKey: "key", at: Self.now)
        let activity = try ledger.insertActivity(named: "m", in: app.id, generation: 1, type: "T", at: Self.now)
        let changes: [(inout Replica) -> Void] = [
            { _ in }, { $0.scopedState = 3 }, { ($0.scopedState, $0.scopedAsOf) = (1, Self.now) },
            { $0.keeping = Keeping(state: 2, asOf: nil, until: 5) }, { $0.phase = .dismissed },
        ]
        let transaction = Transaction(ledger, at: Self.now)
        for (index, change) in changes.enumerated() {
            let device = try ledger.insert(
                NewDevice(
                    app: app.id, installation: "\(index)", environment: .sandbox, osVersion: OSVersion(18),
                    appVersion: "1", permissions: DevicePermissions(activities: true, frequentPushes: true),
                    createdAt: Self.now))
            var replica = Replica(
                activity: activity.id, ordinal: index + 1, device: device.id, phase: .waitingForToken,
                createdAt: Self.now)
            change(&replica)
            try ledger.insert(replica)
            let echo = Echo(activity: activity.id, ordinal: index + 1, version: 2, at: Self.now)
            try transaction.put(echo, of: replica, declared: nil, in: app.id)
        }
        return (app, activity)
    }

    @Test func `are those that were kept before`() async throws {
        let folder = try TemporaryFolder()
        let store = SQLiteStore(try SQLiteDatabase(path: folder.path("eyot.db")))
        let (app, activity) = try await store.write { try fill($0) }
        func kept() async throws -> [String: Int] {
            try await store.read { try $0.counts(of: .showing, of: activity.id, in: app.id) }
        }
        let before = try await kept()
        #expect(before == ["2": 1, "older:2": 1, "own:2:1:\(Self.now.microseconds)": 1, "until:5:2": 1])
        let other = try DatabaseQueue(path: folder.path("eyot.db"))
        for statement in ShownTables.migration.statements(.sqlite) {
            try await other.write { try $0.execute(sql: statement) }
        }
        #expect(try await kept() == before)
        try await store.close()
    }
}
