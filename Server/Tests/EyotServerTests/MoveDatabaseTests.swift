import EyotCommands
import EyotContract
import EyotDomain
import EyotPostgres
import EyotSQLite
import EyotStore
import EyotTestKit
import Foundation
import Testing

@testable import EyotServer

/// `eyot database copy` and `eyot database reopen`, without phones.
@Suite("A move to another kind of database", .timeLimit(.minutes(10)))
final class MoveDatabaseTests {
    private static let key = String(repeating: "ab", count: 32)

    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func file(_ name: String) -> String { folder.appendingPathComponent(name).path }
    private func sqlite(_ name: String) -> String { "sqlite:\(file(name))" }

    /// - Parameter key: The master key of the settings; nil for none.
    private func configuration(_ url: String, key: String? = key) throws -> ServerConfiguration {
        var flags = [Setting.databaseURL: url]
        flags[.masterKey] = key
        return try ServerConfiguration(SettingValues(flags: flags, environment: [:]))
    }

    /// Makes a database with an app and a sealed key.
    private func fill(_ url: String, key: String? = key) throws {
        let configuration = try configuration(url, key: key)
        let database = try configuration.openDatabase()
        let sealer = Sealer(try configuration.readMasterKey(of: database))
        let now = AdjustableClock().now
        try database.write { ledger in
            let app = try ledger.insertApp(bundleID: "org.example", name: "n", publicKey: "k", at: now).id
            let sealed = try sealer.seal(Secret("secret"), for: .apnsKey(of: app, .sandbox))
            try ledger.put(
                APNSKey(app: app, environment: .sandbox, teamID: "T", keyID: "K", sealed: sealed, addedAt: now))
        }
        try database.close()
    }

    private func move(_ from: String, _ to: String, key: String? = key) throws -> MoveDatabase.Moved {
        try MoveDatabase(from: from, to: to, configuration(from, key: key))()
    }

    private func apps(_ url: String) throws -> [App] {
        let database = try configuration(url).openDatabase()
        defer { try? database.close() }
        return try database.read { try $0.apps() }
    }

    private func refused(_ from: String, _ to: String) throws -> MoveFault.Code {
        try #require(throws: MoveFault.self) { _ = try move(from, to) }.code
    }

    @Test func `Both databases are halted, and servers refuse the first one until it is reopened`() async throws {
        let (from, to) = (sqlite("one.sqlite"), try await TestPostgres.shared.emptyDatabase().text)
        try fill(from)
        let moved = try move(from, to)
        #expect(moved.apps == ["org.example"])
        #expect(moved.comparisons.first { $0.table == "apps" }?.target.rows == 1)
        #expect(moved.masterKey.place == .setting("EYOT_MASTER_KEY"))
        let copy = try #require(try apps(to).first)
        #expect(copy.haltedAt != nil)
        let entry = try PostgresDatabase(try #require(PostgresURL(to))).read {
            try $0.auditEntries(of: copy.id, before: nil, limit: 1).first
        }
        #expect(entry?.route == "eyot database copy")
        #expect(entry?.subject == "halted=copied")
        let error = try #require(throws: StoreError.self) { try apps(from) }
        #expect(error.kind == "moved")
        #expect(!"\(error)".contains(to), "a password")
        let mark = try ReopenDatabase(configuration(from))()
        #expect(mark?.place == PostgresURL(to)?.description)
        #expect(try apps(from).first?.haltedAt != nil)
        #expect(try ReopenDatabase(configuration(from))() == nil)
    }

    @Test func `A move comes back to a new file, which this user alone can read`() async throws {
        let (from, to) = (sqlite("one.sqlite"), try await TestPostgres.shared.emptyDatabase().text)
        try fill(from)
        _ = try move(from, to)
        let back = sqlite("two.sqlite")
        let moved = try move(to, back)
        #expect(moved.apps == ["org.example"])
        let mode = try FileManager.default.attributesOfItem(atPath: file("two.sqlite"))[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains("copying") }
        #expect(left.isEmpty)
        #expect(try apps(back).count == 1)
        #expect(throws: StoreError.self) { _ = try apps(to) }
    }

    @Test func `What cannot be moved is refused by name, and nothing is left`() async throws {
        let (one, postgres) = (sqlite("one.sqlite"), try await TestPostgres.shared.emptyDatabase().text)
        #expect(try refused(one, postgres) == .sourceMissing)
        try fill(one)
        #expect(try refused(one, one) == .sameDatabase)
        #expect(try refused(one, sqlite("../\(folder.lastPathComponent)/one.sqlite")) == .sameDatabase)
        #expect(try refused(one, sqlite("two.sqlite")) == .sameKind)
        #expect(try refused(postgres, postgres + "?sslmode=prefer") == .sameDatabase)
        #expect(try refused(postgres, sqlite("two.sqlite")) == .sourceMissing)
        let lock = try ServingLock(database: file("one.sqlite"))
        let used = try #require(throws: StoreError.self) { _ = try move(one, postgres) }
        #expect(used.kind == "inUse")
        withExtendedLifetime(lock) {}
        for wrong in ["mysql://u:secret@h/d", "sqlite:", "postgres://u:secret@h/d?pool_max_conns=none"] {
            let error = try #require(throws: SettingError.self) { _ = try move(one, wrong) }
            #expect(error.description.hasPrefix("TO must be"))
            #expect(!error.description.contains("secret"))
        }
        #expect(!FileManager.default.fileExists(atPath: file("two.sqlite")))
    }

    @Test func `A target that is there already is refused, and stays as it is`() async throws {
        let (from, to) = (sqlite("one.sqlite"), try await TestPostgres.shared.emptyDatabase().text)
        try fill(from)
        try fill(to)
        #expect(try refused(from, to) == .targetNotEmpty)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: file("two.sqlite")))
        #expect(try refused(to, sqlite("two.sqlite")) == .targetNotEmpty)
        #expect(try String(contentsOfFile: file("two.sqlite"), encoding: .utf8) == "mine")
        // Neither source is marked.
        #expect(try apps(from).first?.haltedAt == nil)
        #expect(try apps(to).first?.haltedAt == nil)
    }

    @Test func `A move that stopped before its end is done again, and a finished one is not`() async throws {
        let (from, to) = (sqlite("one.sqlite"), try await TestPostgres.shared.emptyDatabase())
        try fill(from)
        // The mark is durable, and the copy was not committed.
        try SQLiteMoveSide.run(file("one.sqlite")) { side in
            try MoveMark(id: "1", .to, to.description, at: AdjustableClock().now).insert(on: side)
            try side.commit()
        }
        let other = try await TestPostgres.shared.emptyDatabase().text
        #expect(try refused(from, other) == .movedElsewhere)
        #expect(try move(from, to.text).apps == ["org.example"])
        #expect(try refused(from, to.text) == .alreadyMoved)
    }

    @Test func `A failure after the mark says that the source is not used any more`() async throws {
        let to = try await TestPostgres.shared.emptyDatabase().text
        try fill(to)
        // The file gets its name last, and another file has it by then.
        let back = sqlite("two.sqlite")
        let move = try MoveDatabase(from: to, to: back, configuration(to))
        let error = try #require(throws: MoveFault.self) {
            _ = try move { progress in
                guard progress == .compared(table: "apps", rows: 1) else { return }
                #expect(FileManager.default.createFile(atPath: self.file("two.sqlite"), contents: Data()))
            }
        }
        #expect(error.code == .unfinished)
        #expect(throws: StoreError.self) { _ = try apps(to) }
        try FileManager.default.removeItem(atPath: file("two.sqlite"))
        #expect(try self.move(to, back).apps == ["org.example"])
        #expect(try apps(back).first?.haltedAt != nil)
    }

    @Test func `An older schema is refused with the command that migrates it`() async throws {
        let to = try await TestPostgres.shared.emptyDatabase().text
        try SQLiteMoveSide.run(file("one.sqlite")) { side in
            try Schema.migrate(side.connection, dialect: .sqlite, through: Array(Schema.migrations.dropLast()))
            try side.commit()
        }
        let error = try #require(throws: MoveFault.self) { _ = try move(sqlite("one.sqlite"), to) }
        #expect(error.code == .schemaOlder)
        #expect(error.description.contains("eyot migrate"))
    }

    // MARK: The master key

    @Test func `A master key that does not open the secrets stops a move before it begins`() async throws {
        let (from, to) = (sqlite("one.sqlite"), try await TestPostgres.shared.emptyDatabase().text)
        try fill(from)
        #expect(throws: SealError.self) { _ = try move(from, to, key: String(repeating: "cd", count: 32)) }
        #expect(try apps(from).first?.haltedAt == nil)
        #expect(try apps(to).isEmpty)
    }

    @Test func `The file beside the source is named, and one beside the target is tried`() async throws {
        let (from, to) = (sqlite("one.sqlite"), try await TestPostgres.shared.emptyDatabase().text)
        try fill(from, key: nil)
        let moved = try move(from, to, key: nil)
        #expect(moved.masterKey.place == .besideSource(file("one.sqlite.master-key")))
        #expect(moved.masterKey.ids.count == 1)
        let text = "\(String(repeating: "cd", count: 32))\n"
        try Data(text.utf8).write(to: URL(fileURLWithPath: file("two.sqlite.master-key")))
        #expect(throws: SealError.self) { _ = try move(to, sqlite("two.sqlite"), key: nil) }
        #expect(try move(to, sqlite("three.sqlite"), key: nil).masterKey.place == .unknown)
    }
}
