import EyotContract
import EyotDomain
import HTTPTypes
import Testing

@Suite("Watched activities", .timeLimit(.minutes(10)))
struct WatchTests {
    @Test func `an activity is marked by its name, and the mark goes`() async throws {
        try await Rig.run { rig in
            #expect(try await rig.call(.post, "/v1/activities/final/watch").code == "activityUnknown")
            #expect(try await rig.call(.put, "/v1/activities/final", #"{"contentState":{"n":1}}"#).status == 202)
            for _ in 0..<2 {
                let reply = try await rig.call(.post, "/v1/activities/final/watch")
                #expect(reply.status == 200 && reply["watched"] == true, "\(reply.text)")
            }
            let watched = try await rig.store.read { try $0.watched(limit: 9).map(\.name) }
            #expect(watched == ["final"])
            #expect(try await rig.call(.post, "/v1/activities/final/unwatch", key: rig.other.api).status == 404)
            #expect(try await rig.call(.post, "/v1/activities/final/unwatch").status == 200)
            #expect(try await rig.call(.post, "/v1/activities/final/unwatch").code == "activityUnknown")
        }
    }

    @Test func `a server watches a limited number of activities`() async throws {
        try await Rig.run { rig in
            for number in 0...WatchedActivity.limit {
                let path = "/v1/activities/match-\(number)"
                #expect(try await rig.call(.put, path, #"{"contentState":{"n":1}}"#).status == 202)
                let reply = try await rig.call(.post, path + "/watch")
                #expect(reply.code == (number < WatchedActivity.limit ? nil : "tooManyWatched"), "\(reply.text)")
            }
            #expect(try await rig.call(.post, "/v1/activities/match-0/watch").status == 200)
            #expect(try await rig.call(.post, "/v1/activities/match-0/unwatch").status == 200)
            #expect(try await rig.call(.post, "/v1/activities/match-20/watch").status == 200)
        }
    }

    @Test func `the numbers are those of the newest generation`() async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("one", user: "ana")
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            #expect(try await rig.call(.post, "/v1/activities/final/watch").status == 200)
            #expect(try await rig.changes(phone.secret, Rig.card(2, "c", token: "t")).status == 200)
            let first = try #require(try await rig.store.read { try $0.watchedNumbers(at: rig.clock.now) }.first)
            #expect(first.phases["live"] == 1 && first.shown.share == nil)
            let echo =
                #"{"sequence":3,"kind":"cardEvent","event":"contentApplied","instance":"c","name":"final","#
                + #""type":"Match","digest":"\#(StateDigest(of: ["n": 1]).text)"}"#
            #expect(try await rig.changes(phone.secret, echo).status == 200)
            #expect(try await rig.store.read { try $0.watchedNumbers(at: rig.clock.now) }.first?.shown.share == 1)
            #expect(try await rig.call(.post, "/v1/activities/final/update", Body.update).status == 202)
            #expect(try await rig.store.read { try $0.watchedNumbers(at: rig.clock.now) }.first?.shown.share == 0)
            #expect(try await rig.call(.post, "/v1/activities/final/end", "{}").status == 202)
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            let second = try #require(try await rig.store.read { try $0.watchedNumbers(at: rig.clock.now) }.first)
            #expect(second.activity != first.activity && second.phases["starting"] == 1)
        }
    }
}
