import EyotDomain
import EyotLab
import EyotStore
import EyotTestKit
import Foundation
import Testing

@testable import EyotPostgres

/// What operators and callers learn when the database takes no call.
@Suite("Outages of PostgreSQL", .timeLimit(.minutes(10)))
struct PostgresOutageTests {
    private func url(_ text: String, user: String) throws -> PostgresURL {
        var parts = try #require(URLComponents(string: text))
        (parts.user, parts.password) = (user, "word")
        return try #require(parts.string.flatMap(PostgresURL.init))
    }

    private func kind(_ url: PostgresURL) -> String? {
        do {
            try PostgresConnection(url, application: "test").connected()
            return nil
        } catch {
            return (error as? StoreError)?.kind
        }
    }

    @Test func `A connection that is refused has a code, whatever language the server speaks`() async throws {
        let server = try await TestPostgres.shared.server()
        for (text, code) in [
            (server.url.replacing(#/:[^:@/]+@/#, with: ":other@"), "databaseLogin"),
            (server.url + "?application_nam=x", "databaseParameters"),
            (server.url + "?service=nowhere", "databaseParameters"),
            (server.url + "?sslmode=sometimes", "databaseParameters"),
            (server.url(ofDatabase: "nowhere"), "databaseUnknown"), (server.url + "?sslmode=require", "databaseTLS"),
            ("postgres://postgres@127.0.0.1:1/x", "databaseUnreachable"),
        ] {
            #expect(kind(try #require(PostgresURL(text))) == code)
        }
        try await server.run("CREATE ROLE crowded LOGIN PASSWORD 'word' CONNECTION LIMIT 1")
        let crowded = try url(server.url, user: "crowded")
        let first = PostgresConnection(crowded, application: "test")
        try first.connected()
        #expect(kind(crowded) == "databaseConnections")
        first.close()
    }

    @Test func `A wrong password, and a missing one, have a code where a file of passwords is used`() async throws {
        let server = try await TestPostgres.shared.server()
        let folder = try TemporaryFolder()
        let bare = server.url.replacing(#/:[^:@/]+@/#, with: "@")
        func connect(_ file: String?) throws -> StoreError? {
            let path = folder.path("passwords")
            if let file { try file.write(toFile: path, atomically: true, encoding: .utf8) }
            try file.map { _ in try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path) }
            do {
                let url = try #require(PostgresURL(bare + "?passfile=\(path)"))
                try PostgresConnection(url, application: "test").connected()
                return nil
            } catch {
                return error as? StoreError
            }
        }
        let missing = try #require(try connect(nil))
        #expect(missing.kind == "databaseLogin", "\(missing)")
        let wrong = try #require(try connect("*:*:*:*:hunter2\n"))
        #expect(wrong.kind == "databaseLogin", "\(wrong)")
        #expect(!"\(wrong)".contains("hunter2"))
        // libpq tries with TLS and without it, and says the same twice.
        #expect("\(wrong)".components(separatedBy: "authentication failed").count == 2, "\(wrong)")
        let right = try #require(server.url.firstMatch(of: #/:([^:@/]+)@/#)?.1)
        #expect(try connect("*:*:*:*:\(right)\n") == nil)
    }

    @Test func `A code is found beside what libpq adds, and the first server that names a fault counts`() {
        for (text, fault) in [
            ("connection failed: FATAL:  28P01", ConnectionFault.login),
            ("connection failed: FATAL:  28P01\npassword retrieved from file \"/etc/a 12345\"\n", .login),
            ("a failed: FATAL:  57P03\nb failed: FATALE:  3D000\n", .unknown),
            ("a failed: FATAL:  28P01\nb failed: FATAL:  28000", .login), ("Connection refused", .unreachable),
        ] {
            #expect(ConnectionFault(saidByServers: text) == fault, "\(text)")
        }
    }

    @Test func `Fewer connections than a server may make are reported when it starts`() async throws {
        let database = try await TestPostgres.shared.database()
        try await TestPostgres.shared.server()
            .run("CREATE ROLE few LOGIN SUPERUSER PASSWORD 'word' CONNECTION LIMIT 10")
        func reports(_ url: PostgresURL) async throws -> [PostgresReport] {
            let (reports, report) = AsyncStream.makeStream(of: PostgresReport.self)
            let store = PostgresStore(try PostgresDatabase(url)) { _ in
            } report: {
                report.yield($0)
            }
            await store.close()
            report.finish()
            return await reports.reduce(into: []) { $0.append($1) }
        }
        let few = try database.ofUser("few")
        #expect(try await reports(few).contains(.crowded(limit: 10, connections: 10)))
        let fitting = try #require(PostgresURL(few.text + "?pool_max_conns=9"))
        #expect(try await !reports(fitting).contains { if case .crowded = $0 { true } else { false } })
    }

    @Test
    func `While the database cannot be reached, one call in a second tries it and the others are refused at once`()
        throws
    {
        let outage = PostgresOutage { _ in }
        let began = ContinuousClock.now
        try outage.admit(at: began)
        outage.note(.timedOut, at: began)
        try outage.admit(at: began + .seconds(9))
        outage.note(.unreachable(.unreachable, "gone"), at: began)
        for tenths in 0..<20 { try outage.admit(at: began + .milliseconds(100 * tenths)) }
        let now = began + .seconds(2)
        try outage.admit(at: now)
        for tenths in 0..<10 {
            #expect(throws: StoreError.self) { try outage.admit(at: now + .milliseconds(100 * tenths)) }
        }
        try outage.admit(at: now + .seconds(1))
        #expect(throws: StoreError.self) { try outage.admit(at: now + .milliseconds(1_500)) }
        outage.note(nil)
        try outage.admit(at: now + .milliseconds(1_500))
    }

    @Test func `A server that Eyot does not work with is refused by name`() throws {
        func refusal(_ change: (inout PostgresServer) -> Void) -> String {
            var server = PostgresServer()
            change(&server)
            do {
                try server.check()
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(refusal { _ in } == "")
        #expect(refusal { $0.version = 130_012 }.contains("it is PostgreSQL 13"))
        #expect(refusal { $0.isStandby = true }.contains("it is a standby"))
        #expect(refusal { $0.encoding = "SQL_ASCII" }.contains("its encoding is SQL_ASCII"))
        #expect(refusal { $0.synchronousCommit = "local" } == "")
        let local = refusal { ($0.synchronousCommit, $0.synchronousStandbys) = ("local", "*") }
        #expect(local.contains("synchronous_commit reads back as local"))
    }

    @Test func `A statement that takes too long is refused so that the call can be repeated`() async throws {
        let url = try await TestPostgres.shared.database("statement_timeout_seconds=1")
        let store = PostgresStore(try PostgresDatabase(url))
        let other = PostgresConnection(url, application: "test")
        try other.connected()
        try other.execute(SQLStatement("BEGIN"), [])
        try other.execute(SQLStatement("LOCK TABLE apps IN ACCESS EXCLUSIVE MODE"), [])
        let error = await #expect(throws: EyotError.self) { try await store.read { try $0.apps().count } }
        #expect(error?.code == .unavailable)
        #expect("\(StoreError.postgres(code: "57014", message: ""))".hasPrefix("statementTimeout: "))
        try other.execute(SQLStatement("COMMIT"), [])
        #expect(try await store.read { try $0.apps().count } == 0)
        await store.close()
    }

    /// Runs a store as a user of its own.
    private func withStore(
        of user: String,
        _ body: (PostgresStore, ThrowawayPostgres, inout AsyncStream<PostgresReport>.Iterator)
            async throws -> Void
    ) async throws {
        let server = try await TestPostgres.shared.server()
        try await server.run("CREATE ROLE \(user) LOGIN SUPERUSER PASSWORD 'word'")
        let url = try await url(TestPostgres.shared.database().text, user: user)
        let (reports, report) = AsyncStream.makeStream(of: PostgresReport.self)
        let store = PostgresStore(try PostgresDatabase(url)) { _ in
        } report: {
            report.yield($0)
        }
        var iterator = reports.makeAsyncIterator()
        try await body(store, server, &iterator)
        await store.close()
    }

    @Test func `An outage is reported once, and readiness names it until the database answers`() async throws {
        try await withStore(of: "locked") { store, server, reports in
            try await store.check()
            try await server.run(
                """
                ALTER ROLE locked NOLOGIN; SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                WHERE usename = 'locked'
                """)
            for _ in 0..<3 {
                let error = await #expect(throws: EyotError.self) { try await store.read { try $0.apps().count } }
                #expect(error?.code == .unavailable)
            }
            let unready = await #expect(throws: EyotError.self) { try await store.check() }
            #expect(unready?.code == .unavailable)
            #expect("\(unready.map { "\($0)" } ?? "")".contains("databaseLogin: "))
            try await server.run("ALTER ROLE locked LOGIN")
            // One call in a second tries.
            let end = ContinuousClock.now + .seconds(60)
            while (try? await store.check()) == nil, ContinuousClock.now < end { await Task.yield() }
            #expect(try await store.read { try $0.apps().count } == 0)
            var kinds: [String] = []
            while let report = await reports.next() {
                switch report {
                case .outage(let error): kinds.append(error.kind)
                case .answers: kinds.append("answers")
                default: continue
                }
                if report == .answers { break }
            }
            #expect(kinds == ["databaseLogin", "answers"])
        }
    }

    @Test func `A full disk refuses writes by name, and takes them again when there is room`() async throws {
        try await withStore(of: "full") { store, _, _ in
            let connection = PostgresConnection(store.url, application: "test")
            try connection.connected()
            for statement in [
                """
                CREATE FUNCTION fill_disk() RETURNS TRIGGER LANGUAGE plpgsql AS \
                'BEGIN RAISE EXCEPTION ''no space left'' USING ERRCODE = ''53100''; END'
                """, "CREATE TRIGGER full_disk BEFORE UPDATE ON commit_marks EXECUTE FUNCTION fill_disk()",
            ] {
                try connection.execute(SQLStatement(composed: statement), [])
            }
            // The first write of a writer inserts its mark, and the second one changes it.
            for _ in 0..<2 { try? await store.write { _ in } }
            let error = await #expect(throws: EyotError.self) { try await store.write { _ in } }
            #expect(error?.code == .diskFull)
            #expect(store.health.hasFullDisk)
            #expect(await #expect(throws: EyotError.self) { try await store.check() }?.code == .diskFull)
            try connection.execute(SQLStatement("DROP TRIGGER full_disk ON commit_marks"), [])
            try await store.isReady()
            #expect(!store.health.hasFullDisk)
        }
    }
}
