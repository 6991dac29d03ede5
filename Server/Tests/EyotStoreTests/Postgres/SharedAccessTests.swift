import EyotDomain
import EyotTestKit
import Testing

@testable import EyotPostgres

@Suite("Changes of keys and apps by other processes", .timeLimit(.minutes(10)))
struct SharedAccessTests {
    private func version(of store: PostgresStore, other than: Int? = nil) async throws -> Int {
        while true {
            try Task.checkCancellation()
            if let version = store.accessVersion, version != than { return version }
            await Task.yield()
        }
    }

    @Test func `A process relies on what it knew for a second at most`() async throws {
        let url = try await TestPostgres.shared.database()
        let (here, there) = (PostgresStore(try PostgresDatabase(url)), PostgresStore(try PostgresDatabase(url)))
        let app = try await there.write {
            try $0.insertApp(bundleID: "b", name: "n", publicKey: "p", at: Instant(second: 1))
        }
        let before = try await version(of: here)
        try await there.write { ledger in
            var halted = app
            halted.haltedAt = Instant(second: 2)
            try ledger.update(unrecorded: halted)
        }
        let changed = ContinuousClock.now
        _ = try await version(of: here, other: before)
        // Most of this is the machine's: other tests run beside this one.
        #expect(changed.duration(to: .now) < .seconds(10))

        // Other changes are none.
        let known = try await version(of: here)
        _ = try await there.write {
            try $0.insertActivity(named: "a", in: app.id, generation: 1, type: "T", at: Instant(second: 1))
        }
        let end = ContinuousClock.now + .seconds(2)
        while ContinuousClock.now < end {
            if let version = here.accessVersion { #expect(version == known) }
            await Task.yield()
        }
        await here.close()
        await there.close()
    }

    @Test func `Where the number cannot be read nothing is relied on`() async throws {
        struct Away: Error {}
        let access = SharedAccess { throw Away() }
        for _ in 0..<1_000 {
            #expect(access.changes == nil)
            await Task.yield()
        }
    }

    @Test func `A number that falls is a change too`() async throws {
        let numbers = Numbers()
        let access = SharedAccess { await numbers.next() }
        var seen: Set<Int> = []
        while seen.count < 2 {
            try Task.checkCancellation()
            if let changes = access.changes { seen.insert(changes) }
            await Task.yield()
        }
        #expect(seen.count == 2)
    }

    private actor Numbers {
        private var number: Int64 = 9

        func next() -> Int64 {
            defer { number -= 1 }
            return number
        }
    }
}
