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

    @Test func `Every app begins halted, and each start that may have left is unknown`() throws {
        let configured = try configuration("one.sqlite")
        // More than the call's transaction processes, so that a list waits.
        let phones = MemberList.inlineLimit + 50
        let app = try withDatabase(configured) { database in
            let app = try database.fill(configured, phones: phones)
            try database.start("now", in: app)
            try database.start("later", startsAt: AdjustableClock().now + 7_200, in: app)
            #expect(try database.read { try $0.memberListCount(of: app, limit: 9) } == 2)
            return app
        }
        _ = try DatabaseFiles.backup(configured, to: file("copy"))
        let other = try configuration("two.sqlite")
        let restored = try RestoreDatabase(other)(from: file("copy"))
        #expect(restored.map(\.bundleID) == ["org.example"])
        let account = try #require(restored.first?.account)
        #expect((account.activities, account.unknownStarts, account.plannedStarts) == (2, phones, phones))
        try withDatabase(other) { database in
            try database.read { ledger in
                try ledger.expectAdopted(app, phones: phones, by: "eyot database restore")
            }
        }
        let mode = try FileManager.default.attributesOfItem(atPath: file("two.sqlite"))[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
    }

    @Test func `Nothing is replaced, and a wrong master key leaves nothing behind`() throws {
        let configured = try configuration("one.sqlite")
        try withDatabase(configured) { _ = try $0.fill(configured, phones: 1) }
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
        try withDatabase(configured) { _ = try $0.fill(configured, phones: 3) }
        let lock = try configured.lockDatabase()
        #expect(throws: (any Error).self) { try DatabaseFiles.vacuum(configured) }
        let devices = try DatabaseFiles.size(configured).tables.first { $0.name == "devices" }
        #expect(devices?.rows == 3)
        _ = try DatabaseFiles.backup(configured, to: file("copy"))
        withExtendedLifetime(lock) {}
    }
}
