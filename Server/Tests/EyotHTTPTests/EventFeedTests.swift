import EyotCommands
import EyotContract
import EyotDomain
import EyotTestKit
import EyotVendors
import Foundation
import Testing

@testable import EyotHTTP

/// Events that are sent as they happen.
@Suite("Following events", .timeLimit(.minutes(10)))
struct EventFeedTests {
    private let app = AppID(rawValue: 1)

    private func text(_ bytes: [UInt8]?) -> String { bytes.map { String(decoding: $0, as: UTF8.self) } ?? "" }

    private func record(_ rig: Rig, _ kind: EventKind, in app: AppID = AppID(rawValue: 1)) async throws {
        let event = Event(app: app, at: rig.clock.now, Fact(kind))
        try await rig.store.write { try $0.record(event) }
    }

    @Test func `a follower gets what it missed, then what happens, of its app and of the kinds that it wants`()
        async throws
    {
        try await Rig.run { rig in
            let commands = Commands(store: rig.store, clock: rig.clock, pushing: rig.pushing)
            let feed = EventFeed()
            try await record(rig, .appPaused)
            var query = EventQuery()
            query.kinds = [.appPaused, .appResumed]
            var events = EventStream(commands: commands, feed: feed, app: app, query: query, cursor: 0)
                .makeAsyncIterator()
            let missed = text(try await events.next())
            #expect(missed.hasPrefix("id: 1\nevent: app.paused\ndata: {") && missed.hasSuffix("}\n\n"))
            #expect(text(try await events.next()) == ": following\n\n")
            try await record(rig, .appResumed, in: AppID(rawValue: 2))
            try await record(rig, .appHalted)
            try await record(rig, .appResumed)
            try await feed.look(by: commands)
            #expect(text(try await events.next()).hasPrefix("id: 4\nevent: app.resumed\n"))
            rig.clock.advance(EventFeed.silence)
            try await feed.look(by: commands)
            #expect(text(try await events.next()).hasPrefix(": "))
            rig.clock.advance(EventFeed.lifetime)
            try await feed.look(by: commands)
            #expect(try await events.next() == nil)
            #expect(feed.count == 0)
        }
    }

    @Test func `each follower gets its own form, and whole tokens only if it may see them`() async throws {
        try await Rig.run { rig in
            let commands = Commands(store: rig.store, clock: rig.clock, pushing: rig.pushing)
            let feed = EventFeed()
            let form = try EventForm(named: "braze", of: Vendors.all)
            var (plain, open, braze) = (EventQuery(), EventQuery(), EventQuery())
            (plain.kinds, open.kinds) = ([.startTokenSet], [.startTokenSet])
            open.depth.showsTokens = true
            form.restrict(&braze)
            func stream(_ query: EventQuery, _ form: EventForm = EventForm()) -> EventStream.Iterator {
                EventStream(commands: commands, feed: feed, app: app, query: query, form: form, cursor: 0)
                    .makeAsyncIterator()
            }
            var (one, two, three) = (stream(plain), stream(open), stream(braze, form))
            _ = (try await one.next(), try await two.next(), try await three.next())
            let phone = try await rig.phone("one", user: "ana")
            let id = DeviceID(rawValue: try #require(Int64(phone.id)))
            try await rig.store.write {
                try $0.record(Event(app: app, at: rig.clock.now, Fact(.pushRefused, reason: "x"), device: id))
            }
            try await feed.look(by: commands)
            let token = Rig.token("one")
            let hidden = text(try await one.next())
            #expect(hidden.contains("tokenFingerprint") && !hidden.contains(token))
            #expect(text(try await two.next()).contains(token))
            let change = text(try await three.next())
            #expect(change.contains("event: users.behaviors.liveactivity.PushToStartTokenChange\n"))
            #expect(!change.contains(token))
            // Both messages are one event, and a follower that goes on from its id has both.
            let messages = text(try await three.next()).components(separatedBy: "\n\n").filter { !$0.isEmpty }
            #expect(messages.count == 2 && !messages[0].hasPrefix("id: ") && messages[1].hasPrefix("id: "))
        }
    }

    @Test func `followers cost no reads each, and there is a most of them`() async throws {
        let reads = Reads()
        func count(_ store: MemoryStore) -> CountingStore { CountingStore(base: store, reads: reads) }
        try await Rig.run(wrapping: count) { rig in
            let commands = Commands(
                store: CountingStore(base: rig.store, reads: reads), clock: rig.clock, pushing: rig.pushing)
            func cost(followers: Int) async throws -> Int {
                let feed = EventFeed()
                var streams: [AsyncStream<EventFeed.Item>] = []
                let newest = try await commands.newestEntry(of: app)
                for _ in 0..<followers {
                    guard case .following(let stream) = feed.follow(app, EventQuery(), after: newest, at: rig.clock.now)
                    else { continue }
                    streams.append(stream)
                }
                #expect(streams.count == min(followers, EventFeed.followerLimit / 2))
                for _ in 0..<50 { try await record(rig, .appPaused) }
                _ = reads.take()
                try await feed.look(by: commands)
                let cost = reads.take()
                feed.close()
                for stream in streams {
                    var got = 0
                    for await _ in stream { got += 1 }
                    #expect(got == 50)
                }
                return cost
            }
            let one = try await cost(followers: 1)
            #expect(try await cost(followers: 200) == one)
            #expect(try await cost(followers: EventFeed.followerLimit + 1) == one)
        }
    }

    @Test func `a follower that is too slow is left behind, and the others are not`() async throws {
        try await Rig.run { rig in
            let commands = Commands(store: rig.store, clock: rig.clock, pushing: rig.pushing)
            let feed = EventFeed()
            guard case .following(let stream) = feed.follow(app, EventQuery(), after: 0, at: rig.clock.now) else {
                Issue.record("it may follow")
                return
            }
            for _ in 0..<2_500 { try await record(rig, .appPaused) }
            for _ in 0..<3 { try await feed.look(by: commands) }
            var got = 0
            for await _ in stream { got += 1 }
            #expect(got == 1_000 && feed.count == 0)
            let behind = feed.follow(app, EventQuery(), after: 5, at: rig.clock.now)
            if case .behind = behind { Issue.record("without followers there is no feed to be behind of") }
        }
    }
}
