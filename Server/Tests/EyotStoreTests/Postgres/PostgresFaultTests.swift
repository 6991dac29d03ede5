import EyotDomain
import EyotStore
import EyotTestKit
import Foundation
import Testing

@testable import EyotPostgres

/// Each rule of transactions is needed: without it something goes wrong that is seen here.
@Suite("Faults of a store in PostgreSQL", .timeLimit(.minutes(10)))
struct PostgresFaultTests {
    private func store(_ change: (inout PostgresRules) -> Void) async throws -> PostgresStore {
        var rules = PostgresRules()
        change(&rules)
        let database = try await PostgresDatabase(TestPostgres.shared.database("pool_max_conns=27"))
        return PostgresStore(database, rules: rules)
    }

    @Test func `Transactions that see what others commit meanwhile lose updates`() async throws {
        let store = try await store { $0.begin = "BEGIN ISOLATION LEVEL READ COMMITTED" }
        await #expect(throws: Violation.self) { try await StoreCheck.keepsUpdates.run(store) }
        await store.close()
    }

    /// A transaction records an event and stays open, while another records one that a reader sees.
    @Test(arguments: [true, false])
    func `A reader meets what a slower transaction recorded before`(_ numbersEvents: Bool) async throws {
        let store = try await store { $0.numbersEvents = numbersEvents }
        let app = try await store.write { ledger in
            try ledger.insertApp(bundleID: "org.example.one", name: "one", publicKey: "key", at: Instant(second: 0)).id
        }
        let entries = { (cursor: Int64) in
            try await store.read { try $0.events(of: app, about: .app, after: cursor, limit: 9).map(\.id) }
        }
        let gate = DispatchGroup()
        gate.enter()
        let (recorded, slowRecorded) = AsyncStream.makeStream(of: Void.self)
        let slow = Task {
            try await store.write { ledger in
                try ledger.record(Event(app: app, at: Instant(second: 1), Fact(.cardEnded)))
                _ = try ledger.app(app)
                slowRecorded.yield()
                gate.wait()
            }
        }
        for await _ in recorded { break }
        try await store.write { try $0.record(Event(app: app, at: Instant(second: 2), Fact(.cardEnded))) }
        var seen = try await entries(0)
        gate.leave()
        try await slow.value
        if numbersEvents {
            while seen.count < 2 {
                try Task.checkCancellation()
                seen += try await entries(seen.last ?? 0)
            }
        } else {
            #expect(try await entries(try #require(seen.last)).isEmpty)
            #expect(try await entries(0).count == 2)
        }
        await store.close()
    }

    /// Ends this process's socket with the port, as a network does that is cut.
    private func cut(localPort port: Int64) {
        for handle in Int32(3)..<4_096 {
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isSocket = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(handle, $0, &length) == 0 }
            }
            guard isSocket, Int64(UInt16(bigEndian: address.sin_port)) == port else { continue }
            shutdown(handle, Int32(SHUT_RDWR))
        }
    }

    /// A trigger makes the commit wait for a lock, and the connection is cut meanwhile.
    @Test(arguments: [true, false])
    func `A commit whose answer is lost happens once`(_ readsMarks: Bool) async throws {
        let store = try await store { $0.readsMarks = readsMarks }
        let watcher = PostgresConnection(store.url, application: "watcher")
        try watcher.connected()
        for statement in [
            """
            CREATE FUNCTION wait_for_lock() RETURNS TRIGGER LANGUAGE plpgsql AS \
            'BEGIN PERFORM pg_advisory_xact_lock(42); RETURN NULL; END'
            """,
            """
            CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON apps DEFERRABLE INITIALLY DEFERRED FOR EACH ROW \
            EXECUTE FUNCTION wait_for_lock()
            """, "SELECT pg_advisory_lock(42)",
        ] {
            try watcher.execute(SQLStatement(composed: statement), [])
        }
        let written = Task {
            try await store.write { ledger in
                _ = try ledger.insertApp(
                    bundleID: "org.example.one", name: "one", publicKey: "key", at: Instant(second: 0))
            }
        }
        let waiting = SQLStatement(
            """
            SELECT client_port FROM pg_stat_activity \
            WHERE wait_event = 'advisory' AND datname = current_database()
            """)
        var ports: [Int64] = []
        while ports.isEmpty {
            ports = try watcher.rows(waiting, []) { try $0.number() }
            await Task.yield()
        }
        cut(localPort: try #require(ports.first))
        try watcher.execute(SQLStatement("SELECT pg_advisory_unlock(42)"), [])
        if readsMarks {
            try await written.value
        } else {
            // Run again, the same row is there already.
            await #expect(throws: (any Error).self) { try await written.value }
        }
        #expect(try await store.read { try $0.apps().count } == 1)
        await store.close()
    }

    @Test func `A transaction whose connection is ended runs again`() async throws {
        let store = try await store { _ in }
        let watcher = PostgresConnection(store.url, application: "watcher")
        try watcher.connected()
        let end = SQLStatement(
            """
            SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity \
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """)
        let count = 200
        try await withThrowingTaskGroup { group in
            for index in 0..<count {
                group.addTask {
                    try await store.write { ledger in
                        let name = "\(index)"
                        _ = try ledger.insertApp(bundleID: name, name: name, publicKey: name, at: Instant(second: 0))
                    }
                }
            }
            for _ in 0..<5 {
                _ = try watcher.rows(end, []) { try $0.number() }
                await Task.yield()
            }
            try await group.waitForAll()
        }
        #expect(try await store.read { try $0.apps().count } == count)
        await store.close()
    }
}
