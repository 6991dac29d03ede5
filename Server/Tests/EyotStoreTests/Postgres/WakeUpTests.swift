import EyotDomain
import EyotLab
import EyotStore
import EyotTestKit
import Testing

@testable import EyotPostgres

@Suite("Wake-ups between the nodes of a database", .timeLimit(.minutes(10)))
struct WakeUpTests {
    private static let activity = ActivityID(rawValue: 7)

    /// A store with reports that can be awaited.
    private struct Node {
        let store: PostgresStore
        let reports: AsyncStream<PostgresReport>

        init(_ url: PostgresURL, direct: PostgresURL? = nil) throws {
            let (reports, report) = AsyncStream.makeStream(of: PostgresReport.self)
            self.reports = reports
            store = PostgresStore(try PostgresDatabase(url), direct: direct) { _ in
            } report: {
                report.yield($0)
            }
        }

        func wake() async throws { try await store.write { _ = $0.woken.insert(WakeUpTests.activity) } }

        /// Returns when the other node has been woken by commits of this one. The first ones may come too early.
        func wake(_ other: Node) async throws {
            try await withThrowingTaskGroup { group in
                group.addTask { for await hint in other.store.woken where hint.isEmpty { return } }
                group.addTask {
                    while !Task.isCancelled { try await wake() }
                }
                try await group.next()
                group.cancelAll()
            }
        }

        func close() async { await store.close() }
    }

    @Test func `A commit of one node wakes the others without naming activities, and never the node itself`()
        async throws
    {
        let url = try await TestPostgres.shared.database()
        let (writer, other) = (try Node(url), try Node(url))
        try await writer.wake(other)
        await other.close()
        await writer.close()
        for await hint in writer.store.woken { #expect(hint == [Self.activity]) }
    }

    /// The number of connections that listen, after the statement was run on the server.
    private func run(_ statement: String, in url: PostgresURL) throws -> Int64? {
        let connection = PostgresConnection(url, application: "test")
        try connection.connected()
        return try connection.rows(SQLStatement(composed: statement), []) { try $0.number() }.first
    }

    private static func listeners(_ what: String) -> String {
        "SELECT COUNT(\(what)) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
    }

    @Test func `A node whose connection for wake-ups is cut connects again, and looks for what it missed`()
        async throws
    {
        let url = try await TestPostgres.shared.database()
        let (writer, other) = (try Node(url), try Node(url))
        try await writer.wake(other)
        await writer.close()
        #expect(try run(Self.listeners("pg_terminate_backend(pid)"), in: url) == 1)
        var reports = other.reports.makeAsyncIterator()
        guard case .wakeUpsLost? = await reports.next() else { return #expect(Bool(false), "no loss was reported") }
        #expect(await reports.next() == .wakesAgain)
        for await hint in other.store.woken where hint.isEmpty { break }
        #expect(try run(Self.listeners("*"), in: url) == 1)
        await other.close()
        #expect(try run(Self.listeners("*"), in: url) == 0)
    }

    @Test func `Behind a pooler only polling is left, and a direct URL wakes all the same`() async throws {
        let server = try await TestPostgres.shared.server()
        let pooler = try await ThrowawayPgbouncer.start(before: server)
        let url = try await TestPostgres.shared.database()
        let pooled = try pooler.url(url)
        let elsewhere = try await TestPostgres.shared.database()
        for (direct, report) in [(nil, PostgresReport.pooled), (pooled, .pooled), (elsewhere, .elsewhere)] {
            let node = try Node(pooled, direct: direct)
            var reports = node.reports.makeAsyncIterator()
            #expect(await reports.next() == report)
            await node.close()
        }
        let (writer, other) = (try Node(pooled, direct: url), try Node(url))
        try await writer.wake(other)
        try await other.wake(writer)
        await writer.close()
        await other.close()
        await pooler.stop()
    }
}
