import EyotContract
import EyotDomain
import EyotSQLite
import EyotServer
import Foundation

/// A store in a file that is removed afterwards, with one app and as many phones as are wanted.
struct BenchStore: Sendable {
    static let type = "MatchAttributes"
    /// Rows that one transaction writes while the store is filled.
    private static let batch = 5_000

    let clock = AdjustableClock()
    let store: SQLiteStore
    let app: AppID
    private let folder: URL

    init() async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("eyot-bench-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = SQLiteStore(try SQLiteDatabase(path: folder.appendingPathComponent("bench.sqlite").path))
        let now = clock.now
        app = try await store.write {
            try $0.insertApp(bundleID: "org.example.match", name: "Bench", publicKey: "bench", at: now).id
        }
    }

    func remove() async throws {
        try await store.close()
        try FileManager.default.removeItem(at: folder)
    }

    /// Fills one activity with cards that run and have a token.
    func fill(_ name: String, replicas: Int) async throws {
        let (app, now) = (app, clock.now)
        let id = try await store.write { ledger in
            var activity = try ledger.insertActivity(named: name, in: app, generation: 1, type: Self.type, at: now)
            activity.nextOrdinal = replicas + 1
            try ledger.update(activity)
            return activity.id
        }
        for first in stride(from: 1, through: replicas, by: Self.batch) {
            let ordinals = first..<min(first + Self.batch, replicas + 1)
            try await store.write { ledger in
                for ordinal in ordinals { try Self.insert(ordinal, of: id, in: app, at: now, ledger) }
            }
        }
    }

    private static func insert(
        _ ordinal: Int, of activity: ActivityID, in app: AppID, at now: Instant, _ ledger: any Ledger
    ) throws {
        let device = try ledger.insert(
            NewDevice(
                app: app, installation: "phone-\(ordinal)", environment: .production, osVersion: OSVersion(18),
                appVersion: "1", permissions: DevicePermissions(activities: true, frequentPushes: true), createdAt: now)
        )
        var replica = Replica(activity: activity, ordinal: ordinal, device: device.id, phase: .live, createdAt: now)
        replica.instance = "instance-\(ordinal)"
        replica.appearedAt = now
        replica.token = PushToken(bytes: Self.token(ordinal)).map {
            UpdateToken(token: $0, environment: .production, version: 1, setAt: now)
        }
        try ledger.insert(replica)
    }

    /// As long as Apple's tokens of Live Activities are.
    static func token(_ number: Int) -> [UInt8] {
        (0..<80).map { UInt8(truncatingIfNeeded: (number &* 0x9E37_79B9) >> (8 * ($0 % 4)) ^ $0) }
    }
}
