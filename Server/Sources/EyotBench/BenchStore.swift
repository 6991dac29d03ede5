import EyotCommands
import EyotContract
import EyotDomain
import EyotPostgres
import EyotSQLite
import EyotServer
import EyotStore
import Foundation

/// A store in a file, with one app and any number of phones.
struct BenchStore: Sendable {
    static let type = "MatchAttributes"
    /// The rows of one transaction while the store is filled.
    static let rowsPerTransaction = 5_000

    static let bundleID = "org.example.match"
    /// The key that the phones of the app show when they register.
    static let publicKey = "bench"
    /// The ids of the key for provider tokens, if they are checked.
    static let (teamID, keyID) = ("TEAM000001", "KEY0000001")

    let clock: any WallClock
    let store: any ServedStore
    let app: AppID
    /// The folder that is removed with the store; nil if another owner has the file.
    private let folder: URL?

    /// Makes a store of its own with an app, in a folder that ``remove()`` removes.
    init(clock: any WallClock = AdjustableClock()) async throws {
        self.clock = clock
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("eyot-bench-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder
        store = SQLiteStore(try SQLiteDatabase(path: folder.appendingPathComponent("bench.sqlite").path))
        app = try await Self.insertApp(into: store, at: clock.now)
    }

    /// Makes the tables and an app in an empty database of PostgreSQL.
    init(in database: PostgresURL) async throws {
        (folder, clock) = (nil, AdjustableClock())
        store = PostgresStore(try PostgresDatabase(database))
        app = try await Self.insertApp(into: store, at: clock.now)
    }

    private static func insertApp(into store: any ServedStore, at now: Instant) async throws -> AppID {
        try await store.write {
            try $0.insertApp(bundleID: bundleID, name: "Bench", publicKey: publicKey, at: now).id
        }
    }

    /// The store in a file.
    ///
    /// - Throws: ``BenchError/missing(_:)`` if it is on PostgreSQL.
    func file() throws -> SQLiteStore {
        guard let store = store as? SQLiteStore else { throw BenchError.missing("a database in a file") }
        return store
    }

    /// Opens the store of a server that does not run now.
    ///
    /// - Parameters:
    ///   - database: the value of the server's setting.
    ///   - bundleID: an existing app.
    init(of database: String, bundleID: String) async throws {
        folder = nil
        clock = AdjustableClock()
        store = SQLiteStore(try SQLiteDatabase(path: String(database.dropFirst("sqlite:".count))))
        let found = try await store.read { try $0.app(bundleID: bundleID)?.id }
        guard let found else { throw BenchError.missing("the app \(bundleID)") }
        app = found
    }

    /// Closes the store, and removes its folder if it has one.
    func remove() async throws {
        try await store.close()
        if let folder { try FileManager.default.removeItem(at: folder) }
    }

    /// Fills one activity with running cards that have a token.
    ///
    /// - Parameters:
    ///   - tokens: the number of different tokens, which the cards share. By default each card has its own.
    ///   - others: the number of phones that the store has already.
    func fill(_ name: String, replicas: Int, tokens: Int = .max, after others: Int = 0) async throws {
        let (app, now) = (app, clock.now)
        let id = try await store.write { ledger in
            var activity = try ledger.insertActivity(named: name, in: app, generation: 1, type: Self.type, at: now)
            activity.nextOrdinal = replicas + 1
            try ledger.update(activity)
            return activity.id
        }
        for first in stride(from: 1, through: replicas, by: Self.rowsPerTransaction) {
            let ordinals = first..<min(first + Self.rowsPerTransaction, replicas + 1)
            try await store.write { ledger in
                for ordinal in ordinals {
                    let phone = try Self.insertPhone(others + ordinal, of: nil, in: app, at: now, ledger)
                    let place = Replica(
                        activity: id, ordinal: ordinal, device: phone, phase: .live, createdAt: now)
                    try ledger.insert(Self.card(others + ordinal, at: place, token: (others + ordinal) % tokens))
                }
            }
        }
        // Otherwise the fold of what was filled would count as a round's.
        try await store.foldLog()
    }

    /// Fills the store with activities that have one such card each.
    func fillOrders(_ count: Int) async throws {
        let (app, now) = (app, clock.now)
        for first in stride(from: 1, through: count, by: Self.rowsPerTransaction) {
            let numbers = first..<min(first + Self.rowsPerTransaction, count + 1)
            try await store.write { ledger in
                for number in numbers {
                    var activity = try ledger.insertActivity(
                        named: Self.order(number), in: app, generation: 1, type: Self.type, at: now)
                    activity.nextOrdinal = 2
                    // A backend has declared states, and the card has had an update. Its first one alone counts it
                    // by the properties of its phone.
                    try ledger.insert(activity.declare(.state, Content(state: ["n": 0]), at: now))
                    activity.rest(until: now + Replica.cardLifetime, at: now)
                    try ledger.update(activity)
                    let phone = try Self.insertPhone(number, of: nil, in: app, at: now, ledger)
                    var place = Replica(
                        activity: activity.id, ordinal: 1, device: phone, phase: .live, createdAt: now)
                    place.acceptedVersion = activity.version
                    var updated = RingSlots()
                    updated.insert(place.ordinal)
                    try ledger.put(updatedCards: updated, onPage: 0, of: activity.id)
                    try ledger.insert(Self.card(number, at: place, token: number))
                }
            }
        }
        try await store.foldLog()
    }

    /// Returns the name of an activity with one card.
    static func order(_ number: Int) -> String { "order-\(number)" }

    /// Adds phones of one user without a card and with a start token.
    ///
    /// - Parameter secret: returns a phone's secret for calls of the server, by its number.
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

    /// Adds phones without a user or a card, with a start token and a tag.
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

    /// Returns the card of a phone at its place.
    ///
    /// - Parameters:
    ///   - number: the phone's number.
    ///   - token: the number of its card's token.
    private static func card(_ number: Int, at place: Replica, token: Int) -> Replica {
        var replica = place
        replica.instance = instance(number)
        replica.appearedAt = place.createdAt
        replica.token = PushToken(bytes: Self.token(token)).map {
            UpdateToken(token: $0, environment: .production, version: 1, setAt: place.createdAt)
        }
        return replica
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

    /// Counts the cards of a filled activity that have another token than they should.
    ///
    /// - Parameter numbers: returns the number of a card's expected token, by its ordinal.
    func cards(of name: String, withoutToken numbers: @escaping @Sendable (Int) -> Int) async throws -> Int {
        let app = app
        return try await store.read { ledger in
            guard let activity = try ledger.newestActivity(named: name, in: app)?.id else {
                throw BenchError.missing(name)
            }
            var (others, last) = (0, 0)
            while case let page = try ledger.replicas(of: activity, after: last, limit: Self.rowsPerTransaction),
                let end = page.last
            {
                others += page.count { $0.token?.token.bytes != Self.token(numbers($0.ordinal)) }
                last = end.ordinal
            }
            return others
        }
    }

    /// Returns the index-th element of a permutation. Its step shares no factor with the count.
    static func scattered(_ index: Int, of count: Int) -> Int { (index &* 7_368_787) % count }

    /// Returns ActivityKit's id of a phone's card.
    static func instance(_ number: Int) -> String { "instance-\(number)" }

    /// Returns a token of the length of Apple's Live Activity tokens.
    static func token(_ number: Int) -> [UInt8] {
        (0..<80).map { UInt8(truncatingIfNeeded: (number &* 0x9E37_79B9) >> (8 * ($0 % 4)) ^ $0) }
    }

    /// Returns a phone's start token.
    static func startToken(_ number: Int) -> [UInt8] { token(number).reversed() }
}
