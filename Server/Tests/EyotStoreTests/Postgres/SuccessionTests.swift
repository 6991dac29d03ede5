import EyotDomain
import EyotStore
import EyotTestKit
import Synchronization
import Testing

@testable import EyotPostgres

@Suite("A server that takes the place of the database's", .timeLimit(.minutes(10)))
struct SuccessionTests {
    private let lease = NodeLease(
        owner: NodeID(rawValue: "node"), epoch: 7, renewedAt: Instant(second: 1), until: Instant(second: 13))

    private final class Reports: Sendable {
        private let seen = Mutex<[PostgresReport]>([])

        var successions: [PostgresReport] {
            seen.withLock { $0.filter { if case .succeeded = $0 { true } else { false } } }
        }

        func note(_ report: PostgresReport) { seen.withLock { $0.append(report) } }
    }

    private func store(_ pair: PostgresPair, _ reports: Reports) throws -> PostgresStore {
        PostgresStore(try PostgresDatabase(pair.url), report: { reports.note($0) })
    }

    /// Writes as a call of the load does, again for as long as the database cannot be reached.
    private func write<Result: Sendable>(
        _ store: PostgresStore, _ body: @escaping @Sendable (any Ledger) throws -> Result
    ) async throws -> Result {
        while true {
            do { return try await store.write(body) } catch let error as EyotError where error.code == .unavailable {
                try Task.checkCancellation()
            }
        }
    }

    private func record(_ store: PostgresStore) async throws {
        try await write(store) { ledger in
            try ledger.record(Event(app: AppID(rawValue: 1), at: Instant(second: 1), Fact(.cardEnded)))
        }
    }

    /// The ids of events, in the order in which they were recorded.
    private func ids(_ url: String) throws -> [Int64] {
        try #require(PostgresURL(url)).onConnection {
            try $0.rows(SQLStatement("SELECT id FROM events ORDER BY id"), []) { try $0.number() }
        }
    }

    @Test func `It ends all tenures, doubts starts and raises ids if it may lack what was answered`() async throws {
        let pair = try await PostgresPair.start(isSynchronous: false)
        let reports = Reports()
        let stores = [try store(pair, reports), try store(pair, reports)]
        let lease = lease
        try await write(stores[0]) { _ = try $0.replace(nil, by: lease) }
        try await pair.cutOff()
        for store in stores { try await record(store) }
        // The standby knows nothing of this.
        let seen = try #require(try ids(pair.primary.url).last)
        let began = try #require(try await stores[0].time?())
        try await pair.failOver()
        for store in stores { try await record(store) }
        #expect(try ids(pair.standby.url).allSatisfy { $0 > seen }, "those of two stores, which did not begin anew")
        #expect(reports.successions == [.succeeded(forgot: true)], "once for both")
        let ended = try #require(try await stores[1].read { try $0.nodeLease(of: 0) })
        #expect(ended.owner == nil && ended.epoch == lease.epoch + 1)
        let doubts = try #require(ended.doubtsUntil)
        #expect(doubts > began)
        #expect(ended.until.seconds(since: doubts) > Double(NodeLease.duration))
        for store in stores { await store.close() }
        await pair.stop()
    }

    @Test func `It only raises ids if no commit was answered before it had it`() async throws {
        let pair = try await PostgresPair.start(isSynchronous: true)
        let reports = Reports()
        let store = try store(pair, reports)
        let lease = lease
        try await write(store) { _ = try $0.replace(nil, by: lease) }
        try await record(store)
        let seen = try #require(try ids(pair.primary.url).last)
        try await pair.failOver()
        try await record(store)
        let ids = try ids(pair.standby.url)
        #expect(ids.first == seen && ids.count == 2, "nothing is forgotten")
        #expect(ids[1] - seen > 1 << 40)
        #expect(try await store.read { try $0.nodeLease(of: 0) } == lease)
        #expect(reports.successions == [.succeeded(forgot: false)])
        await store.close()
        await pair.stop()
    }

    @Test func `It is asked for what was answered, whatever it says of its predecessor`() async throws {
        let pair = try await PostgresPair.start(isSynchronous: true)
        let reports = Reports()
        let store = try store(pair, reports)
        try await record(store)
        try await pair.cutOff()
        // The standby does not learn that it is no longer waited for.
        try await pair.primary.configure("synchronous_standby_names", to: "")
        try await record(store)
        let seen = try #require(try ids(pair.primary.url).last)
        try await pair.failOver()
        try await record(store)
        #expect(try #require(try ids(pair.standby.url).last) > seen)
        #expect(reports.successions == [.succeeded(forgot: true)])
        let leases = try await store.read { try $0.nodeLeases() }
        #expect(leases.count == Sharding.shared.count, "also those that the standby did not know of")
        #expect(leases.allSatisfy { $0.doubtsUntil != nil && $0.owner == nil })
        try await record(store)
        #expect(reports.successions.count == 1)
        await store.close()
        await pair.stop()
    }

    @Test func `A database that does not know its server any more is settled, too`() async throws {
        let url = try await TestPostgres.shared.database()
        let reports = Reports()
        let store = PostgresStore(try PostgresDatabase(url), report: { reports.note($0) })
        try await record(store)
        try url.onConnection { _ = try $0.execute(SQLStatement("DELETE FROM database_server"), []) }
        try await record(store)
        #expect(reports.successions == [.succeeded(forgot: true)])
        await store.close()
    }

    @Test func `A standby that is no longer synchronous is remembered as such by the first write`() async throws {
        let pair = try await PostgresPair.start(isSynchronous: true)
        let store = try store(pair, Reports())
        func wasSynchronous() throws -> Bool? {
            try #require(PostgresURL(pair.primary.url)).onConnection {
                try $0.rows(SQLStatement("SELECT is_synchronous FROM database_server"), []) { try $0.flag() }.first
            }
        }
        #expect(try wasSynchronous() == true)
        try await pair.primary.configure("synchronous_standby_names", to: "")
        while try wasSynchronous() == true {
            try await record(store)
            try Task.checkCancellation()
        }
        await store.close()
        await pair.stop()
    }
}
