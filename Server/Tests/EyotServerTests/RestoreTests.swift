import EyotCommands
import EyotContract
import EyotDomain
import EyotSQLite
import Foundation
import Testing

@testable import EyotServer

@Suite("A restore")
final class RestoreTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func configuration(
        _ name: String, key: String = String(repeating: "ab", count: 32)
    ) throws -> ServerConfiguration {
        let flags = [Setting.databaseURL: "sqlite:\(folder.path)/\(name)", .masterKey: key]
        return try ServerConfiguration(SettingValues(flags: flags, environment: [:]))
    }

    private func file(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func withDatabase<Result>(
        _ configuration: ServerConfiguration, _ body: (SQLiteDatabase) throws -> Result
    ) throws -> Result {
        let database = try #require(configuration.openDatabase() as? SQLiteDatabase)
        defer { try? database.close() }
        return try body(database)
    }

    /// A database with an app, a sealed key, and phones that may be started.
    private func fill(_ configuration: ServerConfiguration, phones: Int) throws -> AppID {
        try withDatabase(configuration) { database in
            let sealer = Sealer(try configuration.readMasterKey(of: database))
            let now = AdjustableClock().now
            return try database.write { ledger in
                let app = try ledger.insertApp(bundleID: "org.example", name: "n", publicKey: "k", at: now).id
                let sealed = try sealer.seal(Secret("secret"), for: .apnsKey(of: app, .sandbox))
                try ledger.put(
                    APNSKey(app: app, environment: .sandbox, teamID: "T", keyID: "K", sealed: sealed, addedAt: now))
                for number in 1...phones {
                    let device = try ledger.insert(.phone("\(number)", in: app, at: now))
                    guard let token = PushToken(bytes: [UInt8(number >> 8), UInt8(number & 255)]) else { continue }
                    try ledger.put(
                        StartToken(device: device.id, type: "Match", token: token, environment: .sandbox, setAt: now),
                        in: app)
                }
                return app
            }
        }
    }

    private func start(_ name: String, startsAt: Instant? = nil, in app: AppID, _ database: SQLiteDatabase) throws {
        let now = AdjustableClock().now
        try database.write { ledger in
            var request = DeclarationRequest(verb: .start, name: name, content: Content(state: ["n": 1]))
            (request.type, request.attributes, request.audience) = ("Match", [:], .all)
            request.content.alert = Alert(body: ["title": "t", "body": "b"], expiresAt: now + 3_000)
            request.startsAt = startsAt
            _ = try Declare(Transaction(ledger, at: now), app: app)(request)
        }
    }

    @Test func `Every app begins halted, and each start that may have left is unknown`() throws {
        let configured = try configuration("one.sqlite")
        // More than the call's transaction processes, so that a list waits.
        let phones = MemberList.inlineLimit + 50
        let app = try fill(configured, phones: phones)
        try withDatabase(configured) { database in
            try start("now", in: app, database)
            try start("later", startsAt: AdjustableClock().now + 7_200, in: app, database)
            #expect(try database.read { try $0.memberListCount(of: app, limit: 9) } == 2)
        }
        _ = try DatabaseFiles.backup(configured, to: file("copy"))
        let other = try configuration("two.sqlite")
        let restored = try RestoreDatabase(other)(from: file("copy"))
        #expect(restored.map(\.bundleID) == ["org.example"])
        let account = try #require(restored.first?.account)
        #expect((account.activities, account.unknownStarts, account.plannedStarts) == (2, phones, phones))
        try withDatabase(other) { database in
            try database.read { ledger in
                let found = try #require(try ledger.app(app))
                #expect(found.haltedAt != nil)
                #expect(try ledger.memberListCount(of: app, limit: 1) == 0)
                let (now, later) = (
                    try #require(try ledger.newestActivity(named: "now", in: app)),
                    try #require(try ledger.newestActivity(named: "later", in: app))
                )
                let doubted = try ledger.replicas(of: now.id, after: 0, limit: 1_000)
                #expect(doubted.count == phones)
                #expect(doubted.allSatisfy { $0.lease?.state == .unknown && $0.lease?.sentAt != nil })
                let planned = try ledger.replicas(of: later.id, after: 0, limit: 1_000)
                #expect(planned.allSatisfy { $0.lease?.state == .planned })
                let entry = try ledger.auditEntries(of: app, before: nil, limit: 1).first
                #expect(entry?.route == "eyot database restore")
            }
        }
        let mode = try FileManager.default.attributesOfItem(atPath: file("two.sqlite"))[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
    }

    @Test func `Nothing is replaced, and a wrong master key leaves nothing behind`() throws {
        let configured = try configuration("one.sqlite")
        _ = try fill(configured, phones: 1)
        let checked = try DatabaseFiles.backup(configured, to: file("copy"))
        let id = try MasterKey(text: String(repeating: "ab", count: 32)).id
        #expect(checked.masterKeys == [id])
        #expect(try DatabaseFiles.check(file("copy")).masterKeys == [id])
        let before = try Data(contentsOf: URL(fileURLWithPath: file("one.sqlite")))
        let error = #expect(throws: StartFault.self) { try RestoreDatabase(configured)(from: file("copy")) }
        #expect(error?.code == .databaseExists)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file("one.sqlite"))) == before)
        let wrong = try configuration("two.sqlite", key: String(repeating: "cd", count: 32))
        #expect(throws: SealError.self) { try RestoreDatabase(wrong)(from: file("copy")) }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("two") }
        // The lock's file tells nothing, and the next restore uses it again.
        #expect(left == ["two.sqlite.serving"])
        #expect(throws: StartFault.self) {
            try RestoreDatabase(configuration("none/two.sqlite"))(from: file("copy"))
        }
    }

    @Test func `A running server's database is measured and copied, and not vacuumed`() throws {
        let configured = try configuration("one.sqlite")
        _ = try fill(configured, phones: 3)
        let lock = try configured.lockDatabase()
        #expect(throws: (any Error).self) { try DatabaseFiles.vacuum(configured) }
        let devices = try DatabaseFiles.size(configured).tables.first { $0.name == "devices" }
        #expect(devices?.rows == 3)
        _ = try DatabaseFiles.backup(configured, to: file("copy"))
        withExtendedLifetime(lock) {}
    }
}
