import CFaultyVFS
import EyotDomain
import Testing

@testable import EyotSQLite

/// A disk without room refuses with a code of its own, and nothing that was accepted before is lost.
@Suite("A full disk", .timeLimit(.minutes(10)))
struct FullDiskTests {
    private static func add(_ name: String, to store: SQLiteStore) async throws {
        try await store.write {
            _ = try $0.insertApp(bundleID: name, name: name, publicKey: name, at: Instant(second: 0))
        }
    }

    @Test func `A write to a full disk is refused as diskFull until there is room again`() async throws {
        let folder = try TemporaryFolder()
        #expect(faulty_vfs_watch(folder.path) == 0)
        let store = SQLiteStore(try SQLiteDatabase(path: folder.path("eyot.db")))
        try await Self.add("before", to: store)
        try await store.check()

        faulty_vfs_fill(folder.path, 1)
        let refusal = await #expect(throws: EyotError.self) { try await Self.add("meanwhile", to: store) }
        #expect(refusal?.code == .diskFull)
        #expect(refusal?.code.status == 503)
        // Readiness says the same, though nothing waits to be written.
        let unready = await #expect(throws: EyotError.self) { try await store.check() }
        #expect(unready?.code == .diskFull)

        faulty_vfs_fill(folder.path, 0)
        try await store.check()
        try await Self.add("after", to: store)
        #expect(try await store.read { try $0.apps().map(\.name) } == ["before", "after"])
        try await store.close()
    }

    @Test func `A server stops in order on a full disk, and the next start reads what was accepted`() async throws {
        let folder = try TemporaryFolder()
        #expect(faulty_vfs_watch(folder.path) == 0)
        let store = SQLiteStore(try SQLiteDatabase(path: folder.path("eyot.db")))
        try await Self.add("before", to: store)

        faulty_vfs_fill(folder.path, 1)
        try await store.close()

        faulty_vfs_fill(folder.path, 0)
        let next = SQLiteStore(try SQLiteDatabase(path: folder.path("eyot.db")))
        #expect(try await next.read { try $0.apps().map(\.name) } == ["before"])
        try await next.close()
    }
}
