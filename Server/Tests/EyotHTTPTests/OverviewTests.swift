import EyotCommands
import EyotContract
import EyotDomain
import EyotEngine
import HTTPTypes
import Testing

@Suite("The overview", .timeLimit(.minutes(10)))
struct OverviewTests {
    private static let path = "/v1/overview"

    private func overview(_ rig: Rig, behind: [ActivityID: Instant] = [:]) async throws -> Overview {
        let app = try #require(try await rig.store.read { try $0.app(bundleID: "org.example.match") })
        let commands = Commands(store: rig.store, clock: rig.clock, pushing: rig.pushing)
        return try await commands.overview(of: app, behind: behind, lists: RunningActivities())
    }

    private func put(_ rig: Rig, _ name: String) async throws {
        let reply = try await rig.call(.put, "/v1/activities/\(name)", #"{"contentState":{"n":1}}"#)
        #expect(reply.status == 202, "\(reply.text)")
    }

    @Test func `it has the cards of each activity, what phones show, and the key that declared last`() async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("one", user: "ana")
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            #expect(try await rig.changes(phone.secret, Rig.card(2, "c", token: "t")).status == 200)
            let echo =
                #"{"sequence":3,"kind":"cardEvent","event":"contentApplied","instance":"c","name":"final","#
                + #""type":"Match","digest":"\#(StateDigest(of: ["n": 1]).text)"}"#
            #expect(try await rig.changes(phone.secret, echo).status == 200)
            let reply = try await rig.call(.get, Self.path)
            #expect(reply["running"] == 1 && reply["cards"] == 1, "\(reply.text)")
            #expect(reply["activities", "0", "name"] == "final" && reply["activities", "0", "version"] == 1)
            #expect(reply["activities", "0", "shown", "newest"] == 1)
            #expect(reply["activities", "0", "keyName"]?.string != nil)
            #expect(reply["activities", "0", "recent"]?.array?.count == 24)
            #expect(try await rig.call(.post, "/v1/activities/final/update", Body.update).status == 202)
            #expect(try await rig.call(.get, Self.path)["activities", "0", "shown", "newest"] == 0)
            #expect(try await rig.call(.post, "/v1/activities/final/end", "{}").status == 202)
            #expect(try await rig.call(.get, Self.path)["running"] == 0, "what has ended does not run")
            #expect(try await rig.call(.get, Self.path, key: rig.other.api)["running"] == 0)
        }
    }

    @Test func `halted activities come first, then those that are behind for longest`() async throws {
        try await Rig.run { rig in
            for name in ["a", "b", "c", "d"] { try await put(rig, name) }
            #expect(try await rig.call(.post, "/v1/activities/c/halt").status == 200)
            let ids = try await rig.store.read { ledger in
                try ["b", "d"].compactMap { try ledger.newestActivity(named: $0, in: AppID(rawValue: 1))?.id }
            }
            let now = rig.clock.now
            let found = try await overview(rig, behind: [ids[0]: now - 20, ids[1]: now - 40])
            #expect(found.activities.map(\.activity.name) == ["c", "d", "b", "a"])
            #expect(found.behindSeconds == 40)
            #expect(found.activities.map(\.behindSeconds) == [nil, 40, 20, nil])
            #expect(found.activities[0].halt?.by == .activity)
        }
    }

    @Test func `small activities are counted by type, unless one is halted or late`() async throws {
        try await Rig.run { rig in
            for number in 1...30 { try await put(rig, "order-\(number)") }
            #expect(try await rig.call(.post, "/v1/activities/order-3/halt").status == 200)
            let late = try #require(
                try await rig.store.read { try $0.newestActivity(named: "order-4", in: AppID(rawValue: 1))?.id })
            let found = try await overview(rig, behind: [late: rig.clock.now - 30])
            #expect(found.activities.map(\.activity.name) == ["order-3", "order-4"])
            #expect(found.others.map(\.activities) == [28])
            #expect(found.others.first?.name == "order-30")
            #expect(found.running == 30 && found.isComplete)
        }
    }

    @Test func `ages and refusals of the last minute count, and older ones fill the steps of two hours`() async throws {
        try await Rig.run { rig in
            try await put(rig, "final")
            let (app, now) = (AppID(rawValue: 1), rig.clock.now)
            let id = try #require(try await rig.store.read { try $0.newestActivity(named: "final", in: app)?.id })
            func add(_ value: Int, _ counter: KeptCounter, _ detail: String = "", ago: Double, width: Int = 10)
                async throws
            {
                let span = CountSpan(of: now - ago, width: width)
                try await rig.store.write {
                    try $0.add(value, to: CountKey(app: app, activity: id, counter, detail, in: span))
                }
            }
            for (ago, count) in [(5.0, 3), (55.0, 4), (65.0, 100)] {
                try await add(count, .acceptedAge, "20", ago: ago)
                try await add(count, .refused, ago: ago)
            }
            try await add(2_000, .longestAccepted, ago: 5)
            try await add(9_000, .longestAccepted, ago: 3_000, width: 600)
            let report = try #require(try await overview(rig).activities.first)
            #expect(report.ages.counts.reduce(0, +) == 7)
            #expect(report.refused == 7)
            #expect(report.recent.dropLast().last == 2, "seconds before the hour")
            #expect(report.recent.filter { $0 == 9 }.count == 2, "a span of ten minutes fills two steps")
            #expect(report.recent.compactMap(\.self).count == 3)
        }
    }

    @Test func `planned starts are listed with their moment`() async throws {
        try await Rig.run { rig in
            try await rig.phone("one", user: "ana")
            let at = (rig.clock.now + 3_600).rfc3339
            let body = Body.start.replacing("{\"", with: "{\"startsAt\":\"\(at)\",\"", maxReplacements: 1)
            #expect(try await rig.call(.post, "/v1/activities/final/start", body).status == 202)
            let reply = try await rig.call(.get, Self.path)
            #expect(reply["planned", "0", "name"] == "final" && reply["planned", "0", "starting"] == 1, "\(reply.text)")
            #expect(reply["planned", "0", "startsAt"]?.string == at)
        }
    }

    @Test func `declarations are listed from the newest, with what was said`() async throws {
        try await Rig.run { rig in
            let path = "/v1/activities/final/declarations"
            #expect(try await rig.call(.get, path).code == "activityUnknown")
            try await put(rig, "final")
            for number in 2...4 {
                let body = #"{"contentState":{"n":\#(number)},"urgent":true}"#
                #expect(try await rig.call(.post, "/v1/activities/final/update", body).status == 202)
            }
            let reply = try await rig.call(.get, path + "?limit=3")
            #expect(reply["declarations"]?.array?.compactMap { $0.object?["version"]?.integer } == [4, 3, 2])
            #expect(reply["declarations", "0", "contentState", "n"] == 4)
            #expect(reply["declarations", "0", "verb"] == "update" && reply["declarations", "0", "urgent"] == true)
            #expect(reply["next"] == "2")
            let rest = try await rig.call(.get, path + "?limit=3&before=2")
            #expect(rest["declarations"]?.array?.count == 1 && rest["next"] == nil)
            #expect(try await rig.call(.get, path + "?before=x").field == "before")
        }
    }

    @Test func `reports are listed from the newest, also of activities that are gone`() async throws {
        try await Rig.run { rig in
            for name in ["a", "b", "c"] { try await put(rig, name) }
            try await rig.store.write { ledger in
                let gone = try #require(try ledger.newestActivity(named: "b", in: AppID(rawValue: 1)))
                var report = KeptReport(of: gone, keptSince: rig.clock.now)
                report.activity = ActivityID(rawValue: 99)
                try ledger.put(report)
            }
            let first = try await rig.call(.get, "/v1/reports?limit=2")
            #expect(first["reports"]?.array?.compactMap { $0.object?["name"]?.string } == ["b", "c"], "\(first.text)")
            #expect(first["reports", "0", "state"] == "ended" && first["reports", "1", "state"] == "active")
            let next = try #require(first["next"]?.string)
            let rest = try await rig.call(.get, "/v1/reports?before=\(next)")
            #expect(rest["reports"]?.array?.compactMap { $0.object?["name"]?.string } == ["b", "a"])
            #expect(rest["next"] == nil)
        }
    }
}
