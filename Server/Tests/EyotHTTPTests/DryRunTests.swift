import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import Synchronization
import Testing

@Suite("Dry runs")
struct DryRunTests {
    private static let final = "/v1/activities/final"

    @Test func `A dry run of a start says what it would do and send, and does nothing`() async throws {
        try await Rig.run { rig in
            try await rig.phone("one")
            try await rig.phone("old", os: "17.4")
            try await rig.phone("two", hasStartToken: false)
            let commits = await rig.store.commits
            let reply = try await rig.call(
                .post, "\(Self.final)/start?dryRun=true", Body.start, headers: ["Idempotency-Key": "k"])
            #expect(await rig.store.commits == commits)
            #expect(reply.status == 200)
            #expect(reply["dryRun"]?.bool == true)
            #expect(reply["operation"] == nil)
            #expect(reply["outcome"]?.string == "applied")
            #expect(reply["generation"]?.integer == 1)
            #expect(reply["starting"]?.integer == 2)
            #expect(reply["skipped", "noStartToken"]?.integer == 1)
            #expect(reply["pushes"]?.array?.count == 2)
            let headers = reply["pushes", "0", "headers"]
            #expect(headers?.object?["apns-push-type"]?.string == "liveactivity")
            #expect(headers?.object?["apns-priority"]?.string == "10")
            #expect(headers?.object?["apns-topic"]?.string == "org.example.match.push-type.liveactivity")
            #expect(headers?.object?["apns-collapse-id"]?.string == "start-1")
            let payload = try #require(reply["pushes", "0", "payload"])
            #expect(payload.object?["aps"]?.object?["input-push-token"]?.integer == 1)
            #expect(reply["pushes", "1", "payload", "aps"]?.object?["input-push-token"] == nil)
            #expect(reply["pushes", "0", "bytes"]?.integer == payload.utf8.count)
            #expect(reply["pushes", "0", "limit"]?.integer == 4_096)
            #expect(reply["pushes", "0", "setWhenSent"]?.array == ["aps.timestamp"])
            #expect(try await rig.call(.get, Self.final).code == "activityUnknown")
            // The key is still free, and the first operation is the first one.
            let real = try await rig.call(.post, "\(Self.final)/start", Body.start, headers: ["Idempotency-Key": "k"])
            #expect(real.status == 202)
            #expect(real["operation"]?.string == "1")
            #expect(real["starting"]?.integer == 2)
        }
    }

    @Test func `A dry run of an update shows the push for cards that had the state before`() async throws {
        try await Rig.run { rig in
            let one = try await rig.phone("one", user: "anna")
            _ = try await rig.call(.post, "\(Self.final)/start", Body.start)
            _ = try await rig.changes(one.secret, Rig.card(2, "A", token: "a"))
            let update = #"{"contentState":{"n":2.50,"a":1e3}}"#
            let reply = try await rig.call(.post, "\(Self.final)/update?dryRun=true", update)
            #expect(reply["version"]?.integer == 2)
            #expect(reply["cards", "live"]?.integer == 1)
            #expect(
                reply["pushes", "0", "payload"]?.text
                    == #"{"aps":{"timestamp":1000000000,"event":"update","content-state":{"n":2.50,"a":1e3}}}"#)
            #expect(reply["pushes", "0", "headers", "apns-priority"]?.string == "5")
            #expect(reply["pushes"]?.array?.count == 1)
            let scoped = try await rig.call(
                .post, "\(Self.final)/update?dryRun=true", #"{"contentState":{"n":3},"scope":{"user":"anna"}}"#)
            #expect(scoped["members"]?.integer == 1)
            #expect(scoped["pushes", "0", "payload", "aps", "content-state", "n"]?.integer == 3)
            let end = try await rig.call(.post, "\(Self.final)/end?dryRun=true", "{}")
            #expect(end["pushes", "0", "event"]?.string == "end")
            #expect(end["pushes", "0", "payload", "aps", "content-state", "n"]?.integer == 1)
            #expect(try await rig.call(.get, Self.final)["version"]?.integer == 1)
        }
    }

    @Test func `A dry run of a PUT says whether anything would change`() async throws {
        try await Rig.run { rig in
            _ = try await rig.call(.put, Self.final, Body.start)
            let same = try await rig.call(.put, "\(Self.final)?dryRun=true", Body.start)
            #expect(same["outcome"]?.string == "unchanged")
            #expect(same["pushes"]?.array == [])
            let other = try await rig.call(.put, "\(Self.final)?dryRun=true", Body.update)
            #expect(other["version"]?.integer == 2)
            #expect(try await rig.call(.put, "\(Self.final)?dryRun=false", Body.update)["operation"]?.string == "2")
        }
    }

    @Test func `What a call would be refused for its dry run is refused for`() async throws {
        try await Rig.run { rig in
            let path = "\(Self.final)/update?dryRun=true"
            #expect(try await rig.call(.post, path, Body.update).code == "activityUnknown")
            #expect(try await rig.call(.post, "\(Self.final)/start?dryRun=yes", Body.start).field == "dryRun")
            _ = try await rig.call(.post, "\(Self.final)/start", Body.start)
            let long = #"{"contentState":{"n":"\#(String(repeating: "x", count: 4_100))"}}"#
            #expect(try await rig.call(.post, path, long).code == "payloadTooLarge")
            let unmet = try await rig.call(.post, path, Body.update, headers: ["If-Match": "7"])
            #expect(unmet.status == 412)
            #expect(try await rig.call(.get, "/v1/activities?dryRun=true").code == "fieldUnknown")
        }
    }

    @Test func `A dry run tells the verdict of each build's schema`() async throws {
        try await Rig.run { rig in
            try await rig.phone("one", build: "1.0 (7)")
            try await rig.phone("two", build: "1.1 (8)")
            try await rig.phone("three", build: "1.2 (9)")
            let schema =
                #"{"attributes":{"type":"object"},"contentState":{"type":"object","properties":{"n":{"type":"TYPE"}}}}"#
            for (build, type) in [("1.0 (7)", "integer"), ("1.1 (8)", "string")] {
                let body = #"{"schema":\#(schema.replacing("TYPE", with: type)),"builds":["\#(build)"]}"#
                #expect(try await rig.call(.put, "/v1/types/Match/schemas", body).status == 200)
            }
            let path = "\(Self.final)/start?dryRun=true"
            #expect(try await rig.call(.post, path, Body.start).code == "schemaMismatch")
            let leaving = Body.start.dropLast() + #","onSchemaMismatch":"leaveOut"}"#
            let reply = try await rig.call(.post, path, String(leaving))
            #expect(reply["skipped", "schemaMismatch"]?.integer == 1)
            #expect(
                reply["schemas"]?.array?.map { $0.object?["verdict"]?.string }
                    == ["decodes", "mismatch", "noSchema"])
        }
    }

    /// Inserts the given number of phones, of which every third has no start token.
    private func crowd(_ count: Int, _ rig: Rig) async throws {
        try await rig.store.write { ledger in
            let app = try #require(try ledger.app(bundleID: "org.example.match")).id
            for number in 1...count {
                let device = try ledger.insert(.phone("crowd-\(number)", in: app, at: Rig.start))
                guard number % 3 != 0 else { continue }
                let token = try #require(PushToken(bytes: [1, UInt8(number >> 8), UInt8(number & 255)]))
                try ledger.put(
                    StartToken(device: device.id, type: "Match", token: token, environment: .sandbox, setAt: Rig.start),
                    in: app)
            }
        }
    }

    @Test func `All of very many members are counted, by reason, as the call itself counts them`() async throws {
        try await Rig.run { rig in
            try await crowd(1_202, rig)
            let commits = await rig.store.commits
            let tried = try await rig.call(.post, "\(Self.final)/start?dryRun=true", Body.start)
            #expect(await rig.store.commits == commits)
            #expect(tried["starting"]?.integer == 802)
            #expect(tried["skipped"] == ["noStartToken": 400])
            #expect(tried["untold"] == nil)
            let unmet = try await rig.call(
                .post, "\(Self.final)/start?dryRun=true", Body.start, headers: ["If-Match": "7"])
            #expect(unmet.status == 412)
            // Half of them have a card.
            let half = Body.start.replacing(
                #""all""#, with: #"{"device":[\#((1...600).map { "\"\($0)\"" }.joined(separator: ","))]}"#)
            let first = try await rig.call(.post, "\(Self.final)/start", half)
            #expect(first["untold"]?.integer == 350)
            while try await process(rig) {}
            let again = try await rig.call(.post, "\(Self.final)/start?dryRun=true", Body.start)
            #expect(again["starting"]?.integer == 402)
            #expect(again["skipped"] == ["noStartToken": 400, "alreadyActive": 400])
        }
    }

    private func process(_ rig: Rig) async throws -> Bool {
        try await rig.store.write { ledger in
            guard let list = try ledger.memberLists(after: 0, limit: 1).first else { return false }
            try ProcessMembers(Transaction(ledger, at: Rig.start))(list.id)
            return true
        }
    }

    @Test func `Of a large scope those whom nothing reaches are counted out, too`() async throws {
        try await Rig.run { rig in
            try await crowd(900, rig)
            _ = try await rig.call(.post, "\(Self.final)/start", Body.start)
            while try await process(rig) {}
            try await rig.store.write { ledger in
                let app = try #require(try ledger.app(bundleID: "org.example.match")).id
                let final = try #require(try ledger.newestActivity(named: "final", in: app))
                for ordinal in [1, 300, 301, 600] {
                    var replica = try #require(try ledger.replica(ordinal, of: final.id))
                    replica.phase = .dismissed
                    try ledger.update(replica)
                }
            }
            let body = #"{"contentState":{"n":2},"scope":"all"}"#
            let tried = try await rig.call(.post, "\(Self.final)/update?dryRun=true", body)
            #expect(tried["untold"] == nil)
            let real = try await rig.call(.post, "\(Self.final)/update", body)
            #expect(real["untold"]?.integer == 350)
            #expect(tried["members"]?.integer == 596)
            while try await process(rig) {}
            #expect(try await rig.call(.get, "/v1/operations/2")["members"] == tried["members"])
        }
    }

    @Test func `Counting ends in time, and says how many are left; a line of many is not counted out`() async throws {
        let pace = Pace()
        let slow = { @Sendable (store: MemoryStore) in SlowStore(base: store, pace: pace) }
        try await Rig.run(wrapping: slow) { rig in
            try await crowd(2_000, rig)
            pace.clock.withLock { $0 = rig.clock }
            let tried = try await rig.call(.post, "\(Self.final)/start?dryRun=true", Body.start)
            #expect(tried["untold"]?.integer == 1_750 - 2 * CountMembers.page)
            let line = Body.start.dropLast() + #","name":"final","verb":"start"}"#
            let lines = try await rig.call(
                .post, "/v1/declarations?dryRun=true", String(line), headers: ["Content-Type": "application/x-ndjson"])
            #expect(lines["answer", "untold"]?.integer == 1_750)
        }
    }
}

/// What a look into a slow store costs.
private final class Pace: Sendable {
    /// Nil while it costs nothing.
    let clock = Mutex<StandingClock?>(nil)
}

/// A store in which each look takes half of the time that there is.
private struct SlowStore: WrappedStore {
    let base: MemoryStore
    let pace: Pace

    func read<Result: Sendable>(_ body: @escaping @Sendable (any Ledger) throws -> Result) async throws -> Result {
        pace.clock.withLock { $0?.advance(CountAudience.longest / 2) }
        return try await base.read(body)
    }
}
