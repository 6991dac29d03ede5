import EyotContract
import EyotDomain
import EyotSQLite
import EyotServer
import Foundation
import Testing

@Suite("The operator's key")
struct OperatorKeyTests {
    @Test func `It is made once, and one that is lost is replaced where the database is`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("eyot.sqlite").path
        let flags = [Setting.databaseURL: "sqlite:\(path)"]
        let configuration = try ServerConfiguration(SettingValues(flags: flags, environment: [:]))
        let first = try await OperatorKey.create(configuration)
        await #expect(throws: OperatorKeyError.exists) { try await OperatorKey.create(configuration) }
        let second = try await OperatorKey.create(configuration, replacing: true)
        #expect(first.text != second.text)
        let database = try SQLiteDatabase(path: path)
        defer { try? database.close() }
        let keys = try database.write { try $0.apiKeys(of: nil) }
        #expect(keys.map { $0.revokedAt != nil } == [true, false])
        #expect(second.text.hasPrefix(keys[1].hint.dropLast()))
    }
}
