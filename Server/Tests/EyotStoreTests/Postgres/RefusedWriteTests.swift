import EyotDomain
import EyotLab
import EyotStore
import EyotTestKit
import Synchronization
import Testing

@testable import EyotPostgres

/// A server that takes some statements and refuses others. Metrics, health and the log say so until the same is taken.
@Suite("Writes that PostgreSQL refuses", .timeLimit(.minutes(10)))
struct RefusedWriteTests {
    private final class Seen: Sendable {
        let failures = Mutex<[String]>([])
        let news = Mutex<[WriteNews]>([])
    }

    private static func add(_ name: String, to store: PostgresStore) async throws {
        try await store.write {
            _ = try $0.insertApp(bundleID: name, name: name, publicKey: name, at: Instant(second: 0))
        }
    }

    /// A function for triggers that fails as a server does.
    private static func failing(with code: String) -> String {
        """
        CREATE OR REPLACE FUNCTION fail() RETURNS TRIGGER LANGUAGE plpgsql AS \
        'BEGIN RAISE EXCEPTION ''a fault'' USING ERRCODE = ''\(code)''; END'
        """
    }

    private static let trigger = "CREATE TRIGGER refusal BEFORE INSERT ON apps EXECUTE FUNCTION fail()"
    private static let noTrigger = "DROP TRIGGER refusal ON apps"

    struct Fault: Sendable, CustomTestStringConvertible {
        var kind: String
        var makes: [String]
        var mends: [String]
        var code = EyotError.Code.unavailable
        var testDescription: String { kind }

        static func raised(_ code: String, _ kind: String, _ answer: EyotError.Code = .unavailable) -> Fault {
            Fault(kind: kind, makes: [failing(with: code), trigger], mends: [noTrigger], code: answer)
        }
    }

    static let faults: [Fault] = [
        .raised("53100", "diskFull", .diskFull), .raised("53200", "databaseResources"),
        .raised("53400", "databaseResources"), .raised("57014", "statementTimeout"),
        .raised("42501", "databaseRights"), .raised("58030", "databaseFiles"),
        Fault(
            kind: "databaseTables", makes: ["ALTER TABLE apps RENAME COLUMN public_key TO other"],
            mends: ["ALTER TABLE apps RENAME COLUMN other TO public_key"]),
    ]

    @Test(arguments: faults)
    func `A refused write is in metrics, health and readiness until it is taken again`(_ fault: Fault) async throws {
        let url = try await TestPostgres.shared.database()
        let seen = Seen()
        let store = PostgresStore(
            try PostgresDatabase(url),
            observe: { report in
                if let failure = report.failure { seen.failures.withLock { $0.append(failure.kind) } }
            },
            report: { report in if case .writes(let news) = report { seen.news.withLock { $0.append(news) } } })
        try await Self.add("before", to: store)
        try await store.check()
        try url.onConnection { for text in fault.makes { try $0.execute(SQLStatement(composed: text), []) } }

        let refusal = await #expect(throws: EyotError.self) { try await Self.add("meanwhile", to: store) }
        #expect(refusal?.code == fault.code)
        #expect(refusal?.code.status == 503)
        for _ in 0..<3 {
            // A heartbeat goes on meanwhile, and ends nothing.
            try await store.write { _ in }
            let unready = await #expect(throws: EyotError.self) { try await store.check() }
            #expect(unready?.code == fault.code)
        }
        #expect(store.health.hasFullDisk == (fault.kind == "diskFull"))
        #expect(seen.failures.withLock { $0 } == [fault.kind], "looks at health are not counted")

        try url.onConnection { for text in fault.mends { try $0.execute(SQLStatement(composed: text), []) } }
        try await store.isReady()
        #expect(!store.health.isInTrouble)
        try await Self.add("after", to: store)
        #expect(try await store.read { try $0.apps().map(\.name) } == ["before", "after"])
        let told = seen.news.withLock { $0 }
        #expect(told.count == 2 && told.last == .taken(kind: fault.kind), "\(told)")
        await store.close()
    }

    @Test func `A refused read is in health too, and is answered with 503`() async throws {
        let url = try await TestPostgres.shared.database()
        let store = PostgresStore(try PostgresDatabase(url))
        try url.onConnection {
            _ = try $0.execute(SQLStatement("ALTER TABLE apps RENAME COLUMN public_key TO other"), [])
        }
        let refusal = await #expect(throws: EyotError.self) { try await store.read { try $0.apps().count } }
        #expect(refusal?.code == .unavailable)
        let unready = await #expect(throws: EyotError.self) { try await store.check() }
        #expect(unready?.detail.hasPrefix("databaseTables: ") == true, "\(String(describing: unready))")
        try url.onConnection {
            _ = try $0.execute(SQLStatement("ALTER TABLE apps RENAME COLUMN other TO public_key"), [])
        }
        try await store.isReady()
        await store.close()
    }

    @Test func `A call with a fault of its own makes no server unready`() async throws {
        let store = PostgresStore(try PostgresDatabase(try await TestPostgres.shared.database()))
        try await Self.add("one", to: store)
        await #expect(throws: StoreError.self) { try await Self.add("one", to: store) }
        #expect(!store.health.isInTrouble)
        try await store.check()
        // Data that the server cannot read, such as a number out of range.
        #expect(!StoreError.postgres(code: "22003", message: "").isRefusal)
        await store.close()
    }

    @Test func `A statement that somebody cancelled is told apart from one that took too long`() {
        let cancelled = StoreError.postgres(code: "57014", message: "canceling statement due to user request")
        #expect(cancelled.kind == "statementCancelled")
        #expect(cancelled.isRefusal)
        let timeout = StoreError.postgres(code: "57014", message: "canceling statement due to statement timeout")
        #expect(timeout.kind == "statementTimeout")
        #expect(timeout.sentence.contains("of the user, the database or the server"))
    }
}

extension PostgresStore {
    /// Asks until the store is ready.
    func isReady() async throws {
        let end = ContinuousClock.now + .seconds(60)
        while (try? await check()) == nil, ContinuousClock.now < end { await Task.yield() }
        try await check()
    }
}
