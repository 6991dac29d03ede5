import EyotCommands
import EyotDomain
import EyotEngine
import EyotTestKit
import GRDB
import Testing

@testable import EyotSQLite
@testable import EyotStore

/// What is done with all of a database, while every table has rows.
@Suite("Every table in use", .timeLimit(.minutes(10)))
struct WholeUseTests {
    private static let start = Instant(microseconds: 1_700_000_000_000_000)
    private let folder: TemporaryFolder
    private let path: String
    private let tables: [String]

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("eyot.db")
        try SQLiteDatabase(path: path).close()
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        tables = try queue.writeWithoutTransaction { try ReadableRows.fill($0) }
        try queue.close()
    }

    /// Runs commands on the file, and returns what a read of it finds afterwards.
    private func use<Found>(
        _ body: (Commands) async throws -> Void, then look: (Database) throws -> Found
    ) async throws -> Found {
        let store = SQLiteStore(try SQLiteDatabase(path: path))
        let clock = LeapingClock()
        do {
            try await body(Commands(store: store, clock: clock, pushing: PushingState(at: clock.now)))
        } catch {
            try? await store.close()
            throw error
        }
        try await store.close()
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.read(look)
    }

    @Test func `A person is exported`() async throws {
        _ = try await use(
            { commands in
                let export = try await commands.exportUser(ReadableRows.person, of: AppID(rawValue: 1))
                #expect(export.devices.count == 1 && export.isComplete)
                #expect(!export.segments.isEmpty || !export.activities.isEmpty)
            }, then: { _ in })
    }

    /// - Parameter isSignedOut: Whether the phone has only taken over the person's places.
    @Test(arguments: [false, true])
    func `A person is erased from every table, and the other app keeps its rows`(isSignedOut: Bool) async throws {
        if isSignedOut {
            let queue = try DatabaseQueue(path: path)
            try await queue.write { try $0.execute(sql: "UPDATE devices SET external_id = NULL WHERE app = 1") }
            try queue.close()
        }
        let (left, others) = try await use { commands in
            try await commands.removeUser(ReadableRows.person, of: AppID(rawValue: 1), at: Self.start)
        } then: { database in
            (
                try ReadableRows.mentions(in: tables, database),
                try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM devices WHERE external_id = 'person-2'")
            )
        }
        #expect(left == [])
        #expect(others == 1)
    }

    @Test func `A round of pruning long after ends, and breaks no reference`() async throws {
        let late = Self.start + 3_650 * 86_400
        let left = try await use(
            { commands in
                var stage: Prune.Stage? = .first
                var steps = 0
                while let next = stage {
                    stage = try await commands.store.write {
                        try Prune(Transaction($0, at: late), retention: Retention())(next)
                    }
                    steps += 1
                    try #require(steps < 1_000)
                }
            },
            then: { database in
                (try ReadableRows.counts(tables, database), try Row.fetchAll(database, sql: "PRAGMA foreign_key_check"))
            })
        for table in ["operations", "events", "acceptances", "audit_log"] where left.0[table] != nil {
            #expect(left.0[table] == 0, "\(table) \(left.0)")
        }
    }

    @Test func `A backup is adopted`() async throws {
        let halted = try await use(
            { commands in
                _ = try await commands.store.write {
                    try AdoptBackup(Transaction($0, at: Self.start)).halt(route: "test", beginning: nil)
                }
                var place = AdoptBackup.Place()
                while true {
                    let (found, next) = try await commands.store.write { [place] ledger in
                        var next = place
                        return (try AdoptBackup(Transaction(ledger, at: Self.start)).judge(from: &next), next)
                    }
                    place = next
                    guard found != nil else { break }
                }
            }, then: { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM apps WHERE halted_at IS NOT NULL") })
        #expect(halted == 2)
    }
}
