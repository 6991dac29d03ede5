import EyotDomain
import EyotSQLite
import EyotTestKit
import HTTPTypes
import Testing

@testable import EyotHTTP

/// Every call of every plane, while the database fails in the middle of it.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `While the database fails` {
    @Test func `A call is refused so that it can be repeated, or answered as if the database did not fail`()
        async throws
    {
        let outage = Outage()
        let store = SQLiteStore(try SQLiteDatabase())
        func failing(_: MemoryStore) -> any Store { FailingStore(base: store, outage: outage) }
        try await Rig.run(wrapping: failing) { rig in
            let callers = try await FuzzedCallers(in: rig)
            let calls = try callers.seeds.map { try callers.call($0, rig) }
            var refused = 0
            // What removes comes last, so that the others find what they call for.
            for call in calls.filter({ $0.method != .delete }) + calls.filter({ $0.method == .delete }) {
                let statuses = try await statuses(of: call, in: outage, rig)
                if statuses.contains(503) { refused += 1 }
                let others = statuses.filter { $0 != 503 }
                #expect(Set(others).count == 1 && (others.first ?? 500) < 500, "\(statuses): \(call)")
            }
            #expect(refused > calls.count * 9 / 10, "of \(calls.count)")
        }
        try await store.close()
    }

    @Test(arguments: [
        ("/v1/users/bulk", #"{"id":"N","tags":["a"]}"#),
        (
            "/v1/tokens/import",
            #"{"installation":"N","type":"Match","environment":"sandbox","startToken":"TOKEN","user":"N"}"#
        ),
        ("/v1/declarations", #"{"name":"N","verb":"put","contentState":{"n":1}}"#),
    ])
    func `Of many items an answer counts those that were done, and an error stands for none`(
        path: String, item: String
    ) async throws {
        let outage = Outage()
        let store = SQLiteStore(try SQLiteDatabase())
        func failing(_: MemoryStore) -> any Store { FailingStore(base: store, outage: outage) }
        try await Rig.run(wrapping: failing) { rig in
            // More than one transaction takes. An outage begins now in the first of them, now in a later one.
            var answered = 0
            for statements in [0, 3, 150, 400, 700] {
                let names = (0..<150).map { "s\(statements)-\($0)" }
                let lines = names.map {
                    item.replacing("TOKEN", with: Rig.token($0)).replacing(#""N""#, with: "\"\($0)\"")
                }
                outage.begin(afterStatements: statements)
                let reply = try await rig.call(
                    .post, path, lines.joined(separator: "\n"), headers: ["Content-Type": "application/x-ndjson"])
                _ = outage.end()
                let done = try await count(of: names, path, in: store)
                #expect([200, 503].contains(reply.status), "\(reply.text)")
                let told =
                    path == "/v1/declarations"
                    ? reply.text.split(separator: "\n").count { $0.contains(#""status":202"#) }
                    : (reply["applied"]?.integer ?? 0) + (reply["imported"]?.integer ?? 0)
                #expect(told == done, "\(statements): \(reply.text.prefix(300))")
                guard reply.status == 200, path != "/v1/declarations" else { continue }
                answered += 1
                #expect(reply["failed"]?.integer == names.count - done)
            }
            // The record of a change that was made in part is stored when the database is there again.
            _ = try await rig.trail.write(to: store, at: rig.clock.now)
            let recorded = try await rig.call(.get, "/v1/audit")["changes"]?.array ?? []
            #expect(recorded.count { $0.object?["route"]?.string == path } == answered)
        }
        try await store.close()
    }

    /// How many of the items are there.
    private func count(of names: [String], _ path: String, in store: SQLiteStore) async throws -> Int {
        try await store.read { ledger in
            let app = try #require(try ledger.app(bundleID: "org.example.match")).id
            return try names.count { name in
                switch path {
                case "/v1/declarations": try ledger.newestActivity(named: name, in: app) != nil
                case "/v1/users/bulk": try ledger.user(name, in: app) != nil
                default: try ledger.device(installation: name, in: app) != nil
                }
            }
        }
    }

    /// The answers to a call while the database fails before its first statement, before the second one and so on. The
    /// last answer is that without an outage.
    private func statuses(of call: FuzzedCall, in outage: Outage, _ rig: Rig) async throws -> [Int] {
        var statuses: [Int] = []
        repeat {
            outage.begin(afterStatements: statuses.count)
            statuses.append(try await call.perform(rig).status)
            // The record of a removal may be what failed. What is removed is not there for another call.
            if call.method == .delete, statuses.last == 204 {
                _ = outage.end()
                break
            }
        } while outage.end()
        return statuses
    }
}
