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
                for ordinal in ordinals { try Self.insert(ordinal, as: ordinal, of: id, in: app, at: now, ledger) }
            }
        }
    }

    /// Fills the store with activities that have one such card each.
    func fillOrders(_ count: Int) async throws {
        let (app, now) = (app, clock.now)
        for first in stride(from: 1, through: count, by: Self.batch) {
            let numbers = first..<min(first + Self.batch, count + 1)
            try await store.write { ledger in
                for number in numbers {
                    var activity = try ledger.insertActivity(
                        named: Self.order(number), in: app, generation: 1, type: Self.type, at: now)
                    activity.nextOrdinal = 2
                    try ledger.update(activity)
                    try Self.insert(number, as: 1, of: activity.id, in: app, at: now, ledger)
                }
            }
        }
    }

    /// What an activity of one card is called.
    static func order(_ number: Int) -> String { "order-\(number)" }

    /// - Parameter number: the phone's, and the token's.
    private static func insert(
        _ number: Int, as ordinal: Int, of activity: ActivityID, in app: AppID, at now: Instant, _ ledger: any Ledger
    ) throws {
        let device = try ledger.insert(
            NewDevice(
                app: app, installation: "phone-\(number)", environment: .production, osVersion: OSVersion(18),
                appVersion: "1", permissions: DevicePermissions(activities: true, frequentPushes: true), createdAt: now)
        )
        var replica = Replica(activity: activity, ordinal: ordinal, device: device.id, phase: .live, createdAt: now)
        replica.instance = "instance-\(number)"
        replica.appearedAt = now
        replica.token = PushToken(bytes: Self.token(number)).map {
            UpdateToken(token: $0, environment: .production, version: 1, setAt: now)
        }
        try ledger.insert(replica)
    }

    /// As long as Apple's tokens of Live Activities are.
    static func token(_ number: Int) -> [UInt8] {
        (0..<80).map { UInt8(truncatingIfNeeded: (number &* 0x9E37_79B9) >> (8 * ($0 % 4)) ^ $0) }
    }
}
