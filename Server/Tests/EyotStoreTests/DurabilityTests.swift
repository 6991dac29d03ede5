import CFaultyVFS
import EyotDomain
import EyotStore
import GRDB
import Synchronization
import Testing

@testable import EyotSQLite

/// What a loss of power leaves (R9). A killed process proves nothing here: what it wrote is in the system's memory. So
/// these tests keep apart what was synced, and look at the disk as it would be found.
@Suite("Durability", .timeLimit(.minutes(10)))
struct DurabilityTests {
    @Test("Every write that was acknowledged survives a loss of power in the midst of others", arguments: 0..<6)
    func keepsWhatItAcknowledged(seed: UInt32) async throws {
        // In every other run the log is folded a few times meanwhile.
        let folding = seed.isMultiple(of: 2) ? FoldLimits() : FoldLimits(from: 20, rest: 5)
        let loss = try await powerLoss(seed: seed, synchronous: "FULL", folding: folding)
        #expect(loss.acknowledged.count >= PowerLoss.least)
        #expect(loss.acknowledged.subtracting(loss.survived) == [])
    }

    @Test func `The same is red where commits do not wait for the disk`() async throws {
        let loss = try await powerLoss(seed: 0, synchronous: "NORMAL")
        #expect(loss.acknowledged.count >= PowerLoss.least)
        #expect(!loss.acknowledged.subtracting(loss.survived).isEmpty)
        #expect(loss.unsynced > 0)
    }

    @Test func `A closed database is whole on the disk`() async throws {
        let (folder, disk) = (try TemporaryFolder(), try TemporaryFolder())
        #expect(faulty_vfs_watch(folder.path) == 0)
        let store = SQLiteStore(try SQLiteDatabase(path: folder.path("eyot.db")))
        try await PowerLoss.write("1", to: store)
        try await store.close()
        #expect(faulty_vfs_lose_power(folder.path, disk.path, 0) == 0)
        #expect(try PowerLoss.names(in: disk) == ["1"])
    }

    /// Many writers at work; the power goes when some of them have been answered.
    private func powerLoss(
        seed: UInt32, synchronous: String, folding: FoldLimits = FoldLimits()
    ) async throws -> PowerLoss {
        let (folder, disk) = (try TemporaryFolder(), try TemporaryFolder())
        #expect(faulty_vfs_watch(folder.path) == 0)
        let database = try SQLiteDatabase(path: folder.path("eyot.db"), folding: folding)
        // Only a test can do this: the store has no such setting.
        try await database.writer.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = \(synchronous)") }
        var limits = GroupCommitLimits()
        limits.batch = 3
        let store = SQLiteStore(database, limits: limits)
        let power = Power()
        try await withThrowingTaskGroup { group in
            for index in 0..<60 {
                group.addTask {
                    try await PowerLoss.write("\(index)", to: store)
                    try power.acknowledge("\(index)") { acknowledged in
                        try PowerLoss(of: folder, into: disk, seed: seed, acknowledged: acknowledged)
                    }
                }
            }
            try await group.waitForAll()
        }
        try await store.close()
        return try #require(power.loss)
    }
}

/// Goes when enough has been acknowledged.
private final class Power: Sendable {
    private let state = Mutex((acknowledged: Set<String>(), loss: PowerLoss?.none))

    var loss: PowerLoss? { state.withLock(\.loss) }

    func acknowledge(_ name: String, lose: (Set<String>) throws -> PowerLoss) throws {
        try state.withLock { state in
            state.acknowledged.insert(name)
            guard state.acknowledged.count >= PowerLoss.least, state.loss == nil else { return }
            state.loss = try lose(state.acknowledged)
        }
    }
}

/// What had been acknowledged when the power went, and what is found on the disk.
private struct PowerLoss {
    /// Writes that are acknowledged before the power goes.
    static let least = 20

    var acknowledged: Set<String>
    var survived: Set<String>
    var unsynced: Int

    init(of folder: TemporaryFolder, into disk: TemporaryFolder, seed: UInt32, acknowledged: Set<String>) throws {
        self.acknowledged = acknowledged
        unsynced = Int(faulty_vfs_lose_power(folder.path, disk.path, seed))
        survived = try Self.names(in: disk)
    }

    static func write(_ name: String, to store: SQLiteStore) async throws {
        try await store.write {
            _ = try $0.insertApp(bundleID: name, name: name, publicKey: name, at: Instant(second: 0))
        }
    }

    /// What a server finds that starts on that disk.
    static func names(in disk: TemporaryFolder) throws -> Set<String> {
        let database = try SQLiteDatabase(path: disk.path("eyot.db"))
        defer { try? database.close() }
        return Set(try database.read { try $0.apps().map(\.name) })
    }
}
