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

    @Test func `is none of another database's business`() throws {
        let folder = try TemporaryFolder()
        let one = try ServingLock(database: folder.path("one.db"))
        _ = try ServingLock(database: folder.path("two.db"))
        withExtendedLifetime(one) {}
    }
}
