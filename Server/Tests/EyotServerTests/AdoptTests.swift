import EyotContract
import EyotDomain
import EyotPostgres
import EyotStore
import EyotTestKit
import Foundation
import Logging
import Synchronization
import Testing

@testable import EyotServer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("An adoption", .timeLimit(.minutes(10)))
struct AdoptTests {
    private func configuration(_ url: String) throws -> ServerConfiguration {
        let flags = [Setting.databaseURL: url, .masterKey: String(repeating: "ab", count: 32)]
        return try ServerConfiguration(SettingValues(flags: flags, environment: [:]))
    }

    @Test func `Every app of a restored database begins halted, and each start that may have left is unknown`()
        async throws
    {
        let url = try await TestPostgres.shared.database()
        let configured = try configuration(url.text)
        let database = try PostgresDatabase(url)
        // More than the call's transaction processes, so that a list waits.
        let phones = MemberList.inlineLimit + 50
        let app = try database.fill(configured, phones: phones)
        try database.start("now", in: app)
        try database.start("later", startsAt: AdjustableClock().now + 7_200, in: app)
        let adopted = try AdoptDatabase(configured)()
        #expect(adopted.map(\.bundleID) == ["org.example"])
        let account = try #require(adopted.first?.account)
        #expect((account.activities, account.unknownStarts, account.plannedStarts) == (2, phones, phones))
        try database.read { try $0.expectAdopted(app, phones: phones, by: "eyot database adopt") }
    }

    /// Starts a server, and returns the body of its `/readyz` and the lines of its log.
    private func readiness(of configuration: ServerConfiguration) async throws -> (checks: JSONValue, log: String) {
        let lines = Mutex("")
        let logger = Logger(label: "test") { label in
            JSONLogHandler(label: label, now: { Instant(second: 0) }, write: { line in lines.withLock { $0 += line } })
        }
        let (starts, start) = AsyncStream.makeStream(of: ServerAddresses.self)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                defer { start.finish() }
                try await EyotServer(configuration, logger: logger).run { start.yield($0) }
            }
            let addresses = try #require(await starts.first { _ in true })
            let url = try #require(URL(string: "\(addresses.http)/readyz"))
            let (body, answer) = try await URLSession.shared.data(from: url)
            #expect((answer as? HTTPURLResponse)?.statusCode == 200, "calls are accepted")
            tasks.cancelAll()
            return (try JSONValue(parsing: Array(body)), lines.withLock { $0 })
        }
    }

    @Test func `A server on a restored database that nobody adopted takes calls, pushes nothing, and says what to do`()
        async throws
    {
        let (from, server) = (try await TestPostgres.shared.database(), try await TestPostgres.shared.server())
        _ = try PostgresDatabase(from)
        let name = try #require(from.text.split(separator: "/").last)
        try await server.run("CREATE DATABASE unadopted TEMPLATE \(name)")
        var flags = [Setting.databaseURL: server.url(ofDatabase: "unadopted"), .httpPort: "0"]
        flags[.masterKey] = String(repeating: "ab", count: 32)
        let configuration = try ServerConfiguration(SettingValues(flags: flags, environment: [:]))

        let (before, log) = try await readiness(of: configuration)
        #expect(before.object?["pushing"]?.object?["reason"]?.string == "notAdopted")
        let check = (before.object?["checks"]?.array ?? []).compactMap(\.object).first { $0["code"] == "pushing" }
        #expect(check?["sentence"]?.string?.contains("eyot database adopt") == true)
        #expect(log.contains("eyot database adopt"))
        #expect(try Migration.isUnadoptedCopy(configuration.database))

        _ = try AdoptDatabase(configuration)()
        let (after, _) = try await readiness(of: configuration)
        #expect(after.object?["pushing"]?.object?["reason"]?.string != "notAdopted")
        #expect(try !Migration.isUnadoptedCopy(configuration.database))
    }

    @Test func `It is refused while a server runs, for a file, and without tables`() async throws {
        let url = try await TestPostgres.shared.database()
        let store = PostgresStore(try PostgresDatabase(url))
        try await store.write { _ in }
        let inUse = #expect(throws: StoreError.self) { try AdoptDatabase(configuration(url.text))() }
        if case .inUseBy? = inUse {} else { Issue.record("\(String(describing: inUse))") }
        await store.close()
        let ofFile = #expect(throws: StartFault.self) {
            try AdoptDatabase(configuration("sqlite:/tmp/none.sqlite"))()
        }
        #expect(ofFile?.code == .databaseIsFile)
        let empty = try await TestPostgres.shared.emptyDatabase()
        let missing = #expect(throws: StartFault.self) { try AdoptDatabase(configuration(empty.text))() }
        #expect(missing?.code == .databaseMissing)
    }
}
