import EyotContract
import EyotDomain
import HTTPTypes
import Hummingbird
import Testing

@testable import EyotHTTP

@Suite("Plumbing")
struct PlumbingTests {
    private struct StoreIsAway: Error {}

    @Test func `Health is of the process, readiness of the store`() async throws {
        try await Rig.run { rig in
            #expect(try await rig.call(.get, "/healthz", key: nil).status == 200)
            #expect(try await rig.call(.get, "/readyz", key: nil).status == 200)
            await rig.store.fail(with: StoreIsAway())
            #expect(try await rig.call(.get, "/healthz", key: nil).status == 200)
            let away = try await rig.call(.get, "/readyz", key: nil)
            #expect(away.status == 503)
            #expect(away.code == "unavailable")
            #expect(away.headers[.retryAfter] == "1")
            await rig.store.fail(with: nil)
            #expect(try await rig.call(.get, "/readyz", key: nil).status == 200)
            rig.isDraining.isOn = true
            #expect(try await rig.call(.get, "/readyz", key: nil).status == 503)
            #expect(try await rig.call(.get, "/healthz", key: nil).status == 200)
        }
    }

    @Test func `Readiness and status say why nothing is pushed, and what waits for the clock (R7)`() async throws {
        try await Rig.run { rig in
            let now = rig.clock.now
            #expect(try await rig.call(.get, "/readyz", key: nil)["pushing", "reason"]?.string == "starting")
            rig.pushing.note(ClockSetBack(before: now + 10_800, after: now))
            rig.pushing.note(.clockSetBack, until: now + 20)
            #expect(rig.pushing.noteCards(waitingUntil: now + 10_801, at: now))
            #expect(!rig.pushing.noteCards(waitingUntil: now + 10_800, at: now), "said once")
            let ready = try await rig.call(.get, "/readyz", key: nil)
            let status = try await rig.call(.get, "/v1/status")
            for reply in [ready, status] {
                #expect(reply.status == 200)
                #expect(reply["pushing", "active"] == false)
                #expect(reply["pushing", "reason"]?.string == "clockSetBack")
                #expect(reply["pushing", "until"]?.string == (now + 20).rfc3339)
                #expect(reply["clock", "setBackAt"]?.string == now.rfc3339)
                #expect(reply["clock", "setBackSeconds"]?.double == 10_800)
                #expect(reply["clock", "cardsWaitUntil"]?.string == (now + 10_801).rfc3339)
            }
            rig.clock.advance(20)
            #expect(try await rig.call(.get, "/readyz", key: nil)["pushing"] == ["active": true])
            rig.clock.advance(10_800)
            let over = try await rig.call(.get, "/v1/status")
            #expect(over["clock", "cardsWaitUntil"] == nil)
            #expect(over["clock", "setBackAt"]?.string == now.rfc3339)
        }
    }

    @Test func `Status lists the nodes on a database, if it has any`() async throws {
        try await Rig.run { rig in
            #expect(try await rig.call(.get, "/v1/status")["nodes"] == nil)
            let now = rig.clock.now
            try await rig.store.write { ledger in
                for (number, name) in ["d", "c", "b", "a"].enumerated() {
                    var node = NodeRecord(id: NodeID(rawValue: "id-\(name)"), name: name, version: "1", at: now)
                    if name == "a" { node.seenAt = now - Double(NodeLease.duration + 1) }
                    (node.isDrained, node.isClockApart) = (name == "c", name == "d")
                    try ledger.put(node)
                    let lease = NodeLease(shard: number, owner: node.id, epoch: 1, renewedAt: now, until: now + 12)
                    if name == "b" { _ = try ledger.replace(nil, by: lease) }
                }
            }
            let nodes = try await rig.call(.get, "/v1/status")["nodes"]?.array ?? []
            #expect(nodes.map { $0.object?["name"]?.string } == ["a", "b", "c", "d"])
            #expect(nodes.map { $0.object?["state"]?.string } == ["silent", "pushing", "drained", "clockApart"])
            #expect(nodes.map { $0.object?["shards"]?.integer } == [0, 1, 0, 0])
        }
    }

    @Test func `A wrong method is told the right ones`() async throws {
        try await Rig.run { rig in
            let cases: [(HTTPRequest.Method, String, String)] = [
                (.delete, "/v1/activities/final", "GET, HEAD, PUT"), (.get, "/v1/activities/final/start", "POST"),
                (.patch, "/v1/apps", "GET, HEAD, POST"), (.get, "/v1/device/register", "POST"),
            ]
            for (method, path, allowed) in cases {
                let reply = try await rig.call(method, path)
                #expect(reply.status == 405)
                #expect(reply.code == "methodNotAllowed")
                #expect(reply.headers[.allow] == allowed, "\(method) \(path)")
            }
        }
    }

    @Test(
        "Nothing is at other paths",
        arguments: [
            "/", "/v1", "/v1/", "/v1/activities/", "/v1/activities/a/b/c", "/V1/apps", "",
        ])
    func nothing(_ path: String) async throws {
        try await Rig.run { rig in
            let reply = try await rig.call(.get, path)
            #expect(reply.status == 404)
            #expect(reply.code == "routeUnknown")
            #expect(reply.headers[.contentType] == "application/problem+json")
        }
    }

    @Test func `HEAD answers as GET does, without a body`() async throws {
        try await Rig.run { rig in
            let get = try await rig.call(.get, "/v1/apps")
            let head = try await rig.call(.head, "/v1/apps")
            #expect(head.status == 200)
            #expect(head.text == "")
            #expect(head.headers[.contentLength] == String(get.text.utf8.count))
        }
    }

    @Test func `Every error of the catalogue is explained where problems point to`() async throws {
        try await Rig.run { rig in
            for code in EyotError.Code.allCases {
                let reply = try await rig.call(.get, "/v1/errors/\(code.rawValue)", key: nil)
                #expect(reply.status == 200)
                #expect(reply["status"]?.integer == code.status)
                #expect(reply["remedy"]?.string == code.remedy)
            }
            let all = try await rig.call(.get, "/v1/errors", key: nil)
            #expect(all["errors"]?.array?.count == EyotError.Code.allCases.count)
        }
    }

    @Test func `Answers carry the request's id and are not kept`() async throws {
        try await Rig.run { rig in
            for path in ["/v1/apps", "/v1/nothing"] {
                let reply = try await rig.call(.get, path)
                #expect(reply.headers[.cacheControl] == "no-store")
                #expect(reply.headers[try #require(HTTPField.Name("X-Request-Id"))]?.isEmpty == false)
            }
        }
    }

    @Test func `A key is asked for before a body is read`() async throws {
        try await Rig.run { rig in
            let huge = String(repeating: " ", count: 7_000_000)
            let keyless = try await rig.call(.post, "/v1/activities/a/start", huge, key: nil)
            #expect(keyless.status == 401)
            let keyed = try await rig.call(.post, "/v1/activities/a/start", huge)
            #expect(keyed.status == 413)
        }
    }
}

@Suite("Bodies that come without a length")
struct BodyReaderTests {
    private func read(_ sizes: [Int], limit: Int) async throws -> [UInt8] {
        let parts = AsyncStream<ByteBuffer> { parts in
            for size in sizes { parts.yield(ByteBuffer(repeating: 0x61, count: size)) }
            // The body does not end, so a read beyond the limit never returns.
            if sizes.reduce(0, +) <= limit { parts.finish() }
        }
        return try await BodyReader(limit: limit).read(parts)
    }

    @Test func `They are read up to the limit`() async throws {
        #expect(try await read([4, 0, 6], limit: 10).count == 10)
        #expect(try await read([], limit: 10) == [])
    }

    @Test("Beyond it reading stops", .timeLimit(.minutes(10)), arguments: [[11], [10, 1], [1, 1, 9]])
    func stops(_ sizes: [Int]) async throws {
        let error = await #expect(throws: EyotError.self) { try await read(sizes, limit: 10) }
        #expect(error?.code == .bodyTooLarge)
    }
}
