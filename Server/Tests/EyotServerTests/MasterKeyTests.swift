import EyotCommands
import EyotContract
import EyotDomain
import EyotSQLite
import Foundation
import Testing

@testable import EyotServer

/// The master key of a database, while no server runs with it.
@Suite("The master key") final class MasterKeyTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    private let configuration: ServerConfiguration

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        configuration = try Self.configuration(in: folder)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func configuration(
        in folder: URL, _ further: [Setting: String] = [:]
    ) throws -> ServerConfiguration {
        let flags = [Setting.databaseURL: "sqlite:\(folder.path)/eyot.sqlite"].merging(further) { $1 }
        return try ServerConfiguration(SettingValues(flags: flags, environment: [:]))
    }

    private func file(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func withDatabase<Result>(_ body: (SQLiteDatabase) throws -> Result) throws -> Result {
        let database = try #require(configuration.openDatabase() as? SQLiteDatabase)
        defer { try? database.close() }
        return try body(database)
    }

    /// Stores a key of an app, sealed with the present master key.
    private func sealOne() throws {
        try withDatabase { database in
            let sealer = Sealer(try configuration.readMasterKey(of: database))
            try database.write { ledger in
                let app = try ledger.insertApp(
                    bundleID: "org.example", name: "n", publicKey: "k", at: Instant(second: 0)
                ).id
                let sealed = try sealer.seal(Secret("secret"), for: .apnsKey(of: app, .sandbox))
                try ledger.put(
                    APNSKey(
                        app: app, environment: .sandbox, teamID: "T", keyID: "K", sealed: sealed,
                        addedAt: Instant(second: 0)))
            }
        }
    }

    private func check(_ key: MasterKey) throws {
        try withDatabase { database in
            try database.read { try SealedKeys(ledger: $0, sealer: Sealer(key)).check() }
        }
    }

    @Test func `No new key is made beside a database that needs the old one`() throws {
        try sealOne()
        let path = file("eyot.sqlite.master-key")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try FileManager.default.removeItem(atPath: path)
        let error = #expect(throws: SettingError.self) { try withDatabase { try configuration.readMasterKey(of: $0) } }
        #expect(error?.description.contains("eyot master-key drop") == true)
        #expect(!FileManager.default.fileExists(atPath: path))
        // The same key from another place opens it, in either form.
        let base64 = try #require(HexBytes.bytes(of: text.trimmingCharacters(in: .newlines)))
        for given in [text.trimmingCharacters(in: .newlines), Data(base64).base64EncodedString()] {
            let configured = try Self.configuration(in: folder, [.masterKey: given])
            try check(withDatabase { try configured.readMasterKey(of: $0) })
        }
        let dropped = try MasterKeys.drop(configuration)
        #expect(dropped.map { "\($0.bundleID) \($0.environment)" } == ["org.example sandbox"])
        try check(withDatabase { try configuration.readMasterKey(of: $0) })
    }

    @Test func `Everything is sealed anew with another key, and a second time changes nothing`() throws {
        try sealOne()
        let old = try withDatabase { try configuration.readMasterKey(of: $0) }
        let path = file("new")
        let first = try MasterKeys.rotate(configuration, to: path)
        #expect(first.resealed == 1)
        let configured = try Self.configuration(in: folder, [.masterKeyFile: path])
        let new = try withDatabase { try configured.readMasterKey(of: $0) }
        #expect(new.id == first.id)
        try check(new)
        #expect(throws: SealError.self) { try check(old) }
        #expect(try MasterKeys.rotate(configuration, to: path).resealed == 0)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
    }

    @Test func `A wrong master key is a wrong setting for the server, so that no restart repeats it`() throws {
        for error in [SealError.masterKeyMalformed, .masterKeyUnknown(sealedWith: "a", given: ["b"])] {
            let refusal = #expect(throws: SettingError.self) { try MasterKeys.asSetting { throw error } }
            #expect(refusal?.description.hasPrefix(Setting.masterKeyFile.variable) == true)
        }
        #expect(throws: SealError.self) { try MasterKeys.asSetting { throw SealError.damaged(masterKeyID: "a") } }
    }

    @Test func `Files that others can read are named`() throws {
        try sealOne()
        #expect(configuration.exposedFiles.isEmpty)
        let paths = ["eyot.sqlite", "eyot.sqlite.master-key"].map(file)
        for path in paths {
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        }
        #expect(configuration.exposedFiles == paths)
        #expect(try Self.configuration(in: folder, [.masterKey: MasterKey.make().text]).exposedFiles == [paths[0]])
        // An access list may make systemd's credentials readable for a group, but for no other reader.
        let lent = paths[1]
        try FileManager.default.setAttributes([.posixPermissions: 0o440], ofItemAtPath: lent)
        let folder = URL(fileURLWithPath: lent).deletingLastPathComponent().path
        #expect(!ServerConfiguration.isPrivate(lent, credentials: nil))
        #expect(ServerConfiguration.isPrivate(lent, credentials: folder))
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: lent)
        #expect(!ServerConfiguration.isPrivate(lent, credentials: folder))
    }

    @Test func `A key that does not open the database is a fault, and one that is not needed is none`() throws {
        #expect(MasterKeys.fault(configuration) == nil)
        try withDatabase { _ in }
        #expect(MasterKeys.fault(configuration) == nil)
        try sealOne()
        #expect(MasterKeys.fault(configuration) == nil)
        let other = try Self.configuration(in: folder, [.masterKey: MasterKey.make().text])
        #expect(MasterKeys.fault(other) != nil)
        try FileManager.default.removeItem(atPath: file("eyot.sqlite.master-key"))
        #expect(MasterKeys.fault(configuration)?.contains("there is no master key") == true)
    }

    @Test func `Commands for operators make no database`() throws {
        let commands: [() throws -> Void] = [
            { [configuration] in _ = try MasterKeys.drop(configuration) },
            { [configuration] in _ = try Migration.check(configuration) },
            { [configuration] in _ = try Migration.run(configuration) { _ in } },
            { [configuration] in _ = try DatabaseFiles.vacuum(configuration) },
            { [configuration] in _ = try MemberTool(configuration, command: "eyot member list").list() },
        ]
        for command in commands {
            let fault = #expect(throws: StartFault.self) { try command() }
            #expect(fault?.code == .databaseMissing)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func `A running server's database is left alone, and two master keys are one too many`() throws {
        try sealOne()
        let lock = try configuration.lockDatabase()
        #expect(throws: (any Error).self) { try MasterKeys.rotate(configuration, to: file("new")) }
        #expect(!FileManager.default.fileExists(atPath: file("new")))
        withExtendedLifetime(lock) {}
        try MasterKey.make().text.write(toFile: file("key"), atomically: true, encoding: .utf8)
        let key = MasterKey.make().text
        #expect(throws: SettingError.self) {
            try Self.configuration(in: folder, [.masterKey: key, .masterKeyFile: file("key")])
        }
    }
}
