import APNSWire
import EyotCommands
import EyotContract
import EyotDomain
import Testing

@testable import EyotHTTP

/// The events that are made of what Apple accepted, in Eyot's form and in those of vendors.
@Suite("Events of accepted pushes", .timeLimit(.minutes(10)))
struct AcceptedPushTests {
    private static let match = ActivityID(rawValue: 1)

    /// Ana and Bo have a card each. Apple accepts its start, an update and the declared end.
    private func run(_ body: @escaping @Sendable (Rig, _ devices: [String]) async throws -> Void) async throws {
        try await Rig.run { rig in
            let phones = [try await rig.phone("one", user: "ana"), try await rig.phone("two", user: "bo")]
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            try await accept(rig, .start, 1)
            for (index, phone) in phones.enumerated() {
                _ = try await rig.changes(phone.secret, Rig.card(2, "card", token: "token\(index)"))
            }
            #expect(try await rig.call(.post, "/v1/activities/final/update", Body.update).status == 202)
            try await accept(rig, .update, 2)
            #expect(try await rig.call(.post, "/v1/activities/final/end", "{}").status == 202)
            try await accept(rig, .end, 3)
            try await body(rig, phones.map(\.id))
        }
    }

    private func accept(_ rig: Rig, _ event: LiveActivityEvent, _ version: Version) async throws {
        var sheet = AcceptanceSheet()
        let push = Push(event: event, version: version, stateVersion: version, alertVersion: 0, priority: .immediate)
        for ordinal in 1...2 { sheet.note(push, of: ordinal) }
        for row in sheet.rows(of: Self.match, at: rig.clock.now) { try await rig.store.write { try $0.record(row) } }
    }

    private func lines(_ rig: Rig, _ query: String) async throws -> [JSONObject] {
        let reply = try await rig.call(.get, "/v1/events?\(query)")
        #expect(reply.status == 200, "\(reply.text)")
        return try reply.text.split(separator: "\n").compactMap { try JSONValue(parsing: Array($0.utf8)).object }
    }

    @Test func `Each card has an event for each push, if the caller names the kind`() async throws {
        try await run { rig, devices in
            let all = try await lines(rig, "limit=100")
            #expect(!all.isEmpty && all.allSatisfy { $0["type"] != "push.accepted" })
            #expect(try await lines(rig, "types=push.*").isEmpty)
            let accepted = try await lines(rig, "types=push.accepted")
            #expect(
                accepted.compactMap { $0["reason"]?.string } == ["start", "start", "update", "update", "end", "end"])
            #expect(accepted.compactMap { $0["user"]?.string } == ["ana", "bo", "ana", "bo", "ana", "bo"])
            #expect(accepted.compactMap { $0["ordinal"]?.integer } == [1, 2, 1, 2, 1, 2])
            #expect(Set(accepted.compactMap { $0["apnsId"]?.string }).count == 6)
            #expect(Set(accepted.compactMap { $0["id"]?.string }).count == 3)
            // They stand among the other events, in one order.
            let both = try await lines(rig, "types=push.accepted,activity.declared")
            #expect(
                both.compactMap { $0["type"]?.string }.map { $0 == "activity.declared" }
                    == [true, false, false, true, false, false, true, false, false])
            #expect(try await lines(rig, "types=push.accepted&user=ana").count == 3)
            #expect(try await lines(rig, "types=push.accepted&device=\(devices[1])").count == 3)
            #expect(try await lines(rig, "types=push.accepted&activity=final").count == 6)
            let newest = try await rig.call(.get, "/v1/log?types=push.accepted&limit=1")
            #expect(newest["entries"]?.array?.map { $0.object?["reason"] } == ["end", "end"])
            let path = "/v1/devices/\(devices[1])"
            #expect(try await rig.call(.delete, path).status == 204)
            #expect(
                try await lines(rig, "types=push.accepted").compactMap { $0["user"]?.string } == ["ana", "ana", "ana"])
        }
    }

    @Test func `A page never ends between the cards of one row, and a cursor goes on after them`() async throws {
        try await run { rig, _ in
            var (cursor, found) = ("0", [JSONObject]())
            while true {
                let reply = try await rig.call(.get, "/v1/events?types=push.accepted&limit=1&after=\(cursor)")
                let page = try reply.text.split(separator: "\n").compactMap {
                    try JSONValue(parsing: Array($0.utf8)).object
                }
                guard !page.isEmpty else { break }
                #expect(page.count == 2)
                found += page
                cursor = try #require(page.last?["id"]?.string)
            }
            #expect(found.count == 6)
        }
    }

    @Test func `Netmera has a close for each end, and Braze a Send and an Outcome for each push`() async throws {
        try await run { rig, _ in
            let closes = try await lines(rig, "vendor=netmera&types=n:lac")
            #expect(closes.compactMap { $0["extId"]?.string } == ["ana", "bo"])
            #expect(closes.allSatisfy { $0["closedBy"] == "app" && $0["eventCode"] == "n:lac" })
            #expect(try await lines(rig, "vendor=netmera&types=LiveActivityClose").count == 2)
            #expect(try await lines(rig, "vendor=netmera").count { $0["eventCode"] == "n:lac" } == 2)
            let braze = try await lines(rig, "vendor=braze")
            let sends = braze.filter { $0["event_type"] == "users.messages.liveactivity.Send" }
            #expect(
                sends.compactMap { $0["live_activity_event_type"]?.string }
                    == ["start", "start", "update", "update", "end", "end"])
            let outcomes = try await lines(rig, "vendor=braze&types=users.messages.liveactivity.Outcome")
            #expect(outcomes.count == 6 && outcomes.allSatisfy { $0["live_activity_event_outcome"] == "accepted" })
            #expect(Set(braze.compactMap { $0["id"]?.string }).count == braze.count)
        }
    }

    @Test func `A stream has them only if its follower names the kind, and names the last one of a page alone`()
        async throws
    {
        try await run { rig, _ in
            let commands = Commands(store: rig.store, clock: rig.clock, pushing: rig.pushing)
            let (feed, app) = (EventFeed(), AppID(rawValue: 1))
            var named = EventQuery()
            named.kinds = [.pushAccepted]
            let newest = try await commands.newestEntry(of: app, for: named)
            func stream(_ query: EventQuery) -> EventStream.Iterator {
                EventStream(commands: commands, feed: feed, app: app, query: query, cursor: newest).makeAsyncIterator()
            }
            var (plain, accepting) = (stream(EventQuery()), stream(named))
            _ = (try await plain.next(), try await accepting.next())
            try await accept(rig, .end, 3)
            try await rig.store.write { try $0.record(Event(app: app, at: rig.clock.now, Fact(.appPaused))) }
            try await feed.look(by: commands)
            #expect(String(decoding: try await plain.next() ?? [], as: UTF8.self).contains("event: app.paused"))
            let first = String(decoding: try await accepting.next() ?? [], as: UTF8.self)
            let second = String(decoding: try await accepting.next() ?? [], as: UTF8.self)
            #expect(first.hasPrefix("event: push.accepted") && second.hasPrefix("id: "))
        }
    }

    @Test func `The end of a card that makes way for another person is one close`() async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("one", user: "ana")
            let start = Body.start.replacing(#""all""#, with: #"{"user":"ana"}"#)
            #expect(try await rig.call(.post, "/v1/activities/final/start", start).status == 202)
            _ = try await rig.changes(phone.secret, Rig.card(2, "card", token: "token"))
            _ = try await rig.changes(phone.secret, #"{"sequence":3,"kind":"logout"}"#)
            var sheet = AcceptanceSheet()
            sheet.note(
                Push(event: .end, version: 0, stateVersion: 1, alertVersion: 0, priority: .immediate), of: 1)
            for row in sheet.rows(of: Self.match, at: rig.clock.now) {
                try await rig.store.write { try $0.record(row) }
            }
            #expect(try await lines(rig, "vendor=netmera&types=n:lac").count == 1)
        }
    }
}
