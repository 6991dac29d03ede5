import EyotCommands
import EyotContract
import EyotDomain
import EyotSQLite
import EyotServer
import Foundation

/// A store in a file, with one app and as many phones as are wanted.
struct BenchStore: Sendable {
    static let type = "MatchAttributes"
    /// Rows that one transaction writes while the store is filled.
    private static let batch = 5_000

    static let bundleID = "org.example.match"
    /// Whose key signs provider tokens, where anybody looks at them.
    static let (teamID, keyID) = ("TEAM000001", "KEY0000001")

    let clock: any WallClock
    let store: SQLiteStore
    let app: AppID
    /// What is removed with the store; nil where somebody else owns the file.
    private let folder: URL?

    /// A store of its own, with an app, in a folder that ``remove()`` removes.
    init(clock: any WallClock = AdjustableClock()) async throws {
        self.clock = clock
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("eyot-bench-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder
        store = SQLiteStore(try SQLiteDatabase(path: folder.appendingPathComponent("bench.sqlite").path))
        let now = clock.now
        app = try await store.write {
            try $0.insertApp(bundleID: Self.bundleID, name: "Bench", publicKey: "bench", at: now).id
        }
    }

    /// The store of a server that does not run at the moment.
    ///
    /// - Parameters:
    ///   - database: as the server's setting has it.
    ///   - bundleID: an app that is there.
    init(of database: String, bundleID: String) async throws {
        folder = nil
        clock = AdjustableClock()
        store = SQLiteStore(try SQLiteDatabase(path: String(database.dropFirst("sqlite:".count))))
        let found = try await store.read { try $0.app(bundleID: bundleID)?.id }
        guard let found else { throw BenchError.missing("the app \(bundleID)") }
        app = found
    }

    /// Closes the store, and removes it where it is its own.
    func remove() async throws {
        try await store.close()
        if let folder { try FileManager.default.removeItem(at: folder) }
    }

    /// Fills one activity with cards that run and have a token.
    ///
    /// - Parameter tokens: how many different ones there are; the cards share them, else each has its own.
    func fill(_ name: String, replicas: Int, tokens: Int = .max) async throws {
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
                for ordinal in ordinals {
                    try Self.insert(
                        ordinal, as: ordinal, of: id, in: app, at: now, token: ordinal % tokens, ledger)
                }
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
                    try Self.insert(number, as: 1, of: activity.id, in: app, at: now, token: number, ledger)
                }
            }
        }
    }

    /// What an activity of one card is called.
    static func order(_ number: Int) -> String { "order-\(number)" }

    /// Adds phones of one user's on which no card runs, with a start token.
    ///
    /// - Parameter secret: what a phone calls the server with, by its number.
    func addStartable(_ numbers: Range<Int>, of user: String, secret: @escaping @Sendable (Int) -> String) async throws
    {
        let (app, now) = (app, clock.now)
        try await store.write { ledger in
            for number in numbers {
                let device = try Self.insertPhone(number, of: user, in: app, at: now, ledger)
                try ledger.setSecret(Keyring.hash(of: secret(number)), of: device)
                guard let token = PushToken(bytes: Self.startToken(number)) else { continue }
                try ledger.put(
                    StartToken(device: device, type: Self.type, token: token, environment: .production, setAt: now),
                    in: app)
            }
        }
    }

    /// Adds phones of nobody's on which no card runs, with a start token and a tag.
    func addStartable(_ numbers: Range<Int>, tag: String) async throws {
        let (app, now) = (app, clock.now)
        try await store.write { ledger in
            for number in numbers {
                let id = try Self.insertPhone(number, of: nil, in: app, at: now, ledger)
                guard let token = PushToken(bytes: Self.startToken(number)), let device = try ledger.device(id) else {
                    throw BenchError.missing("phone \(number)")
                }
                try ledger.put(
                    StartToken(device: id, type: Self.type, token: token, environment: .production, setAt: now), in: app
                )
                try ledger.put(Traits(tags: [tag]), of: device)
            }
        }
    }

    /// - Parameters:
    ///   - number: the phone's.
    ///   - token: the number of its card's token.
    private static func insert(
        _ number: Int, as ordinal: Int, of activity: ActivityID, in app: AppID, at now: Instant, token: Int,
        _ ledger: any Ledger
    ) throws {
        let device = try insertPhone(number, of: nil, in: app, at: now, ledger)
        var replica = Replica(activity: activity, ordinal: ordinal, device: device, phase: .live, createdAt: now)
        replica.instance = instance(number)
        replica.appearedAt = now
        replica.token = PushToken(bytes: Self.token(token)).map {
            UpdateToken(token: $0, environment: .production, version: 1, setAt: now)
        }
        try ledger.insert(replica)
    }

    private static func insertPhone(
        _ number: Int, of user: String?, in app: AppID, at now: Instant, _ ledger: any Ledger
    ) throws -> DeviceID {
        try ledger.insert(
            NewDevice(
                app: app, installation: "phone-\(number)", environment: .production, osVersion: OSVersion(18),
                appVersion: "1", permissions: DevicePermissions(activities: true, frequentPushes: true), user: user,
                createdAt: now)
        ).id
    }

    /// How many cards of an activity that was filled have another token than they should.
    ///
    /// - Parameter numbers: the number of the token that a card should have, by its ordinal.
    func cards(of name: String, withoutToken numbers: @escaping @Sendable (Int) -> Int) async throws -> Int {
        let app = app
        return try await store.read { ledger in
            guard let activity = try ledger.newestActivity(named: name, in: app)?.id else {
                throw BenchError.missing(name)
            }
            var (others, last) = (0, 0)
            while case let page = try ledger.replicas(of: activity, after: last, limit: Self.batch), let end = page.last
            {
                others += page.count { $0.token?.token.bytes != Self.token(numbers($0.ordinal)) }
                last = end.ordinal
            }
            return others
        }
    }

    /// What ActivityKit calls a phone's card.
    static func instance(_ number: Int) -> String { "instance-\(number)" }

    /// As long as Apple's tokens of Live Activities are.
    static func token(_ number: Int) -> [UInt8] {
        (0..<80).map { UInt8(truncatingIfNeeded: (number &* 0x9E37_79B9) >> (8 * ($0 % 4)) ^ $0) }
    }

    /// The token with which a card is started on a phone.
    static func startToken(_ number: Int) -> [UInt8] { token(number).reversed() }
}
