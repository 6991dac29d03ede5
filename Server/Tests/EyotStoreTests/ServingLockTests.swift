import EyotSQLite
import EyotStore
import Foundation
import Testing

@Suite("The lock of a process that serves")
struct ServingLockTests {
    @Test func `is had by one at a time, by whatever name of the database, and then by the next`() throws {
        let folder = try TemporaryFolder()
        let (path, link) = (folder.path("eyot.db"), folder.path("link.db"))
        try Data().write(to: URL(fileURLWithPath: path))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        var first: ServingLock? = try ServingLock(database: path)
        let own = StoreError.inUse(process: Int(ProcessInfo.processInfo.processIdentifier))
        #expect(throws: own) { try ServingLock(database: path) }
        #expect(throws: own) { try ServingLock(database: link) }
        withExtendedLifetime(first) {}
        first = nil
        _ = try ServingLock(database: link)
    }

    @Test func `follows no link, because the folder may be another user's`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("eyot.db")
        try Data("theirs".utf8).write(to: URL(fileURLWithPath: folder.path("other")))
        try FileManager.default.createSymbolicLink(
            atPath: path + ".serving", withDestinationPath: folder.path("other"))
        #expect(throws: StoreError.self) { try ServingLock(database: path) }
        #expect(try String(contentsOfFile: folder.path("other"), encoding: .utf8) == "theirs")
    }

    @Test(.enabled(if: geteuid() == 0)) func `belongs to the owner of its folder, as the database does`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("eyot.db")
        let nobody = 65_534
        try FileManager.default.setAttributes(
            [.ownerAccountID: nobody, .groupOwnerAccountID: nobody],
            ofItemAtPath: URL(fileURLWithPath: path).deletingLastPathComponent().path)
        let lock = try ServingLock(database: path)
        let database = try SQLiteDatabase(path: path)
        for file in [path, path + "-wal", path + "-shm", path + ".serving"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect((attributes[.ownerAccountID] as? NSNumber)?.intValue == nobody, "\(file)")
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(file)")
        }
        try database.close()
        withExtendedLifetime(lock) {}
    }

    @Test func `is none of another database's business`() throws {
        let folder = try TemporaryFolder()
        let one = try ServingLock(database: folder.path("one.db"))
        _ = try ServingLock(database: folder.path("two.db"))
        withExtendedLifetime(one) {}
    }
}
