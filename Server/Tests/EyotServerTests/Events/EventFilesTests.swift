import EyotCommands
import EyotContract
import EyotDomain
import EyotHTTP
import EyotTestKit
import EyotVendors
import Foundation
import Testing

@testable import EyotServer

/// Files of events, read by gzip.
@Suite struct `Files of events` {
    private let root = FileManager.default.temporaryDirectory.appendingPathComponent("events-\(UUID())")
    private let clock = StandingClock()
    private let store = MemoryStore()

    private func files() throws -> EventFiles {
        EventFiles(
            folder: try EventFolder(root.path),
            commands: Commands(store: store, clock: clock, pushing: PushingState(at: clock.now)))
    }

    private func app(_ name: String) async throws -> AppID {
        let now = clock.now
        return try await store.write { try $0.insertApp(bundleID: name, name: name, publicKey: name, at: now).id }
    }

    private func record(_ count: Int, of app: AppID) async throws {
        let now = clock.now
        try await store.write { ledger in
            for _ in 0..<count { try ledger.record(Event(app: app, at: now, Fact(.cardAppeared))) }
        }
    }

    /// The ids of the events in each file, by its path in the folder.
    private func written() async throws -> [String: [Int]] {
        let paths = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        let files = paths.filter { $0.hasSuffix(".ndjson.gz") }
        var found: [String: [Int]] = [:]
        for file in files { found[file] = try await ids(in: file) }
        return found
    }

    private func ids(in path: String) async throws -> [Int] {
        let gzip = try await Program("gzip", ["-dc", root.appendingPathComponent(path).path]).run()
        #expect(gzip.code == 0)
        let lines = gzip.output
        return try lines.split(separator: "\n").map { line in
            let event = try JSONValue(parsing: line.utf8)
            return try #require(event.object?["id"]?.string.flatMap { Int($0) })
        }
    }

    @Test func `Each hour becomes a file when it is over, and each event is in one`() async throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let (one, two) = (try await app("one"), try await app("two"))
        // 22:13:20 of a day.
        try await record(2_500, of: one)
        try await record(1, of: two)
        #expect(try await files().write() == 0)
        clock.advance(3_600)
        try await record(3, of: one)
        #expect(try await files().write() == 2_501)
        clock.advance(7_200)
        #expect(try await files().write() == 3)
        #expect(
            try await written() == [
                "app=1/day=2023-11-14/hour=22/events-1.ndjson.gz": Array(1...2_500),
                "app=2/day=2023-11-14/hour=22/events-2501.ndjson.gz": [2_501],
                "app=1/day=2023-11-14/hour=23/events-2502.ndjson.gz": Array(2_502...2_504),
            ])
        #expect(try await files().write() == 0)
    }

    @Test func `A vendor's files have its form, and what Apple accepted`() async throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let app = try await app("one")
        let rows = try await AcceptedRows(3, of: app, in: store, at: clock.now)
        try await rows.record(.start, 1, in: store, at: clock.now)
        try await record(20_100, of: app)
        try await rows.record(.end, 2, in: store, at: clock.now)
        clock.advance(3_600)
        var files = try files()
        files.form = try EventForm(named: "netmera", of: Vendors.all)
        #expect(try await files.write() == 3)
        let file = try #require(
            FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String }
                .first { $0.hasSuffix(".gz") })
        let gzip = try await Program("gzip", ["-dc", root.appendingPathComponent(file).path]).run()
        let lines = try gzip.output.split(separator: "\n").compactMap { try JSONValue(parsing: $0.utf8).object }
        #expect(lines.map { $0["eventCode"] } == ["n:lac", "n:lac", "n:lac"])
        #expect(lines.map { $0["extId"] } == ["user-1", "user-2", "user-3"])
        #expect(try await files.write() == 0)
    }

    @Test func `Files that were moved away are not written again, and an interrupted one is`() async throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let app = try await app("one")
        try await record(2, of: app)
        clock.advance(3_600)
        try await files().write()
        try FileManager.default.removeItem(at: root.appendingPathComponent("app=1"))
        try await record(1, of: app)
        clock.advance(3_600)
        try await files().write()
        #expect(try await written() == ["app=1/day=2023-11-14/hour=23/events-3.ndjson.gz": [3]])
        // As if the server had ended before it noted the file.
        try EventFolder(root.path).keep(last: 2, of: app)
        try await files().write()
        #expect(try await written() == ["app=1/day=2023-11-14/hour=23/events-3.ndjson.gz": [3]])
    }

    @Test func `A clock that was ahead or is set back holds up nothing`() async throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let app = try await app("one")
        clock.advance(86_400 * 30)
        try await record(1, of: app)
        clock.advance(-86_400 * 30)
        try await record(1, of: app)
        clock.advance(3_600)
        #expect(try await files().write() == 2)
        clock.advance(-3_600)
        try await record(1, of: app)
        clock.advance(7_200)
        #expect(try await files().write() == 1)
        #expect(try await written().values.flatMap { $0 }.sorted() == [1, 2, 3])
    }

    @Test func `After a restore of an older database the files go on from its newest event`() async throws {
        defer { try? FileManager.default.removeItem(at: root) }
        let app = try await app("one")
        try await record(3, of: app)
        try EventFolder(root.path).keep(last: 1_000, of: app)
        clock.advance(3_600)
        #expect(try await files().write() == 0)
        try await record(1, of: app)
        clock.advance(3_600)
        #expect(try await files().write() == 1)
    }

    @Test func `A folder that cannot be written is said`() throws {
        defer { try? FileManager.default.removeItem(at: root) }
        try Data().write(to: root)
        #expect(throws: (any Error).self) { try EventFolder(root.path) }
        #expect(throws: SettingError.self) {
            try ServerConfiguration(SettingValues(flags: [.eventFiles: root.path], environment: [:]))
        }
    }
}
