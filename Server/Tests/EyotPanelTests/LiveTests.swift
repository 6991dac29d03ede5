import EyotDomain
import EyotHTTP
import Synchronization
import Testing

@testable import EyotPanel

/// Open pages, and what they cost.
@Suite("Open pages", .timeLimit(.minutes(10)))
struct LiveTests {
    @Test func `However many pages are open, a topic is looked at once, and only changes are sent`() async throws {
        try await PanelRig.run { rig in
            let looks = Mutex(0)
            let html = Mutex("1")
            let topic = LiveHub.Topic(app: AppID(rawValue: 1), name: "test")
            var streams: [AsyncThrowingStream<[UInt8], any Error>.Iterator] = []
            for _ in 0..<200 {
                let stream = rig.live.follow(topic, by: "ana", check: { true }) {
                    looks.withLock { $0 += 1 }
                    return [
                        LiveFragment(id: "a", html: html.withLock { $0 }), LiveFragment(id: "b", html: "still"),
                    ]
                }
                streams.append(try #require(stream).makeAsyncIterator())
            }
            await rig.live.lookAround()
            html.withLock { $0 = "2" }
            await rig.live.lookAround()
            #expect(looks.withLock { $0 } == 2)
            for index in streams.indices {
                let first = try #require(try await streams[index].next())
                #expect(
                    String(decoding: first, as: UTF8.self) == "event: parts\ndata: {\"a\":\"1\",\"b\":\"still\"}\n\n")
                let second = try #require(try await streams[index].next())
                #expect(String(decoding: second, as: UTF8.self) == "event: parts\ndata: {\"a\":\"2\"}\n\n")
            }
        }
    }

    @Test func `One member cannot take all streams`() async throws {
        try await PanelRig.run { rig in
            func open(_ member: String) -> AsyncThrowingStream<[UInt8], any Error>? {
                rig.live.follow(
                    LiveHub.Topic(app: AppID(rawValue: 1), name: "test"), by: member, check: { true }, look: { [] })
            }
            var streams = (0..<LiveHub.viewersOfMember).compactMap { _ in open("eve") }
            #expect(streams.count == LiveHub.viewersOfMember)
            #expect(open("eve") == nil)
            #expect(open("ana") != nil)
            streams = []
            #expect(open("eve") != nil)
        }
    }

    @Test func `A page closes when its member may see it no more`() async throws {
        try await PanelRig.run { rig in
            let may = Mutex(true)
            let topic = LiveHub.Topic(app: AppID(rawValue: 1), name: "test")
            let stream = try #require(rig.live.follow(topic, by: "ana", check: { may.withLock { $0 } }) { [] })
            await rig.live.lookAround()
            #expect(rig.live.viewerCount == 1)
            may.withLock { $0 = false }
            rig.clock.advance(LiveHub.checkInterval)
            await rig.live.lookAround()
            #expect(rig.live.viewerCount == 0)
            for try await _ in stream {}
        }
    }

    @Test func `A page closes when its topic cannot be read any more`() async throws {
        try await PanelRig.run { rig in
            let topic = LiveHub.Topic(app: AppID(rawValue: 1), name: "test")
            let stream = try #require(
                rig.live.follow(topic, by: "ana", check: { true }) { throw EyotError(.activityUnknown, "gone") })
            await rig.live.lookAround()
            #expect(rig.live.viewerCount == 0)
            for try await _ in stream {}
        }
    }

    @Test func `An open page is one row a minute in the record of reads, for each of its readers`() async throws {
        try await PanelRig.run { rig in
            func open(_ member: String) async throws -> Answer {
                _ = try await rig.get(PanelRig.probe, as: member)
                let visit = try present(rig.visits.last)
                var call = visit.call
                call.query["topic"] = "log?tab=all"
                return try await LiveRoutes(panel: rig.panel).stream(Visit(call, of: visit.member, to: rig.panel))
            }
            func rows(_ member: String) async throws -> Int {
                let (now, store) = (rig.clock.now, rig.store)
                _ = try await rig.panel.backend.trail.write(to: store, at: now)
                return try await store.read { ledger in
                    let app = try present(ledger.apps().first).id
                    return try ledger.accessEntries(of: app, before: nil, limit: 1_000).count {
                        $0.kind == .read && $0.call.hint == member
                    }
                }
            }
            func look(_ seconds: Int) async {
                for _ in 0..<seconds {
                    await rig.live.lookAround()
                    rig.clock.advance(1)
                }
            }
            let otto = try await open("otto")
            await look(26)
            // The opening, and what an open page reads by another call.
            #expect(try await rows("otto") == 2)
            // The second reader is recorded by its own name, and the first one goes on.
            let olga = try await open("olga")
            await look(150)
            #expect(try await rows("otto") == 4)
            #expect(try await rows("olga") == 4)
            _ = (otto, olga)
        }
    }

    @Test(arguments: [
        ("sam", "tonight", 403), ("sam", "server", 403), ("vera", "activity%20nowhere", 404), ("ana", "odd", 422),
    ])
    func `No stream opens for what is not there, or not theirs`(
        _ member: String, _ topic: String, _ status: Int
    ) async throws {
        try await PanelRig.run { rig in
            let answer = try await rig.get("/panel/live?topic=\(topic)", as: member)
            #expect(answer.status.code == status)
            #expect(rig.live.viewerCount == 0)
        }
    }
}
