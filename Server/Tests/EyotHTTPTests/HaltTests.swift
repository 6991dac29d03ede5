import EyotContract
import EyotDomain
import Testing

@Suite("Halting")
struct HaltTests {
    private struct Place: Sendable, CustomTestStringConvertible {
        var by: Halt.Switch
        var path: String
        var testDescription: String { by.rawValue }
    }

    private static let places = [
        Place(by: .activity, path: "/v1/activities/final"), Place(by: .type, path: "/v1/types/Match"),
        Place(by: .app, path: "/v1/apps/org.example.match"),
    ]

    @Test("A declaration of what is halted is taken, with a warning, and is due when it is resumed", arguments: places)
    private func halts(_ place: Place) async throws {
        try await Rig.run { rig in
            try await rig.phone("one")
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start)["warnings"]?.array == [])
            #expect(try await rig.call(.post, "\(place.path)/halt").status == 200)
            #expect(try await rig.call(.post, "\(place.path)/halt").status == 200)
            let shown = try await rig.call(.get, "/v1/activities/final")
            #expect(shown["halt", "by"]?.string == place.by.rawValue)
            #expect(shown["halt", "since"]?.string == "2022-12-18T15:00:00Z")
            let update = try await rig.call(.post, "/v1/activities/final/update", Body.update)
            #expect(update.status == 202)
            #expect(update["warnings", "0"]?.string?.contains("halted") == true, "\(update.text)")
            #expect(try await rig.store.read { try $0.dueActivities(at: Rig.start, limit: 9) } == [])
            let resumed = try await rig.call(.post, "\(place.path)/resume")
            #expect(resumed.status == 200)
            #expect(resumed["halt"] == nil)
            #expect(resumed["haltedSince"] == nil)
            #expect(try await rig.store.read { try $0.dueActivities(at: Rig.start, limit: 9).count } == 1)
            let later = try await rig.call(.post, "/v1/activities/final/update", Body.update)
            #expect(later["warnings"]?.array == [])
            #expect(try await rig.call(.get, "/v1/activities/final")["halt"] == nil)
        }
    }

    @Test("A halt and its end are an event each, in the list, the log and the story of a phone", arguments: places)
    private func records(_ place: Place) async throws {
        try await Rig.run { rig in
            try await rig.phone("one", user: "ana")
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            let expected = ["\(place.by.rawValue).halted", "\(place.by.rawValue).resumed"]
            for verb in ["resume", "halt", "halt", "resume", "resume"] {
                rig.clock.advance(1)
                #expect(try await rig.call(.post, "\(place.path)/\(verb)").status == 200)
            }
            // Halts of what no activity of the phone belongs to.
            #expect(try await rig.call(.post, "/v1/types/Ride/halt").status == 200)
            let stops = try await rig.events("?types=activity.halted,activity.resumed,app.*,type.*")
            #expect(stops.types == expected + ["type.halted"])
            #expect(stops.lines.last?["reason"] == "Ride")
            let log = try await rig.call(.get, "/v1/log?types=\(expected.joined(separator: ","))")
            #expect(log["entries"]?.array?.compactMap { $0.object?["type"]?.string }.contains(expected[0]) == true)
            let story = try await rig.call(.get, "/v1/why?user=ana&activity=final")["story"]?.array ?? []
            let told = story.compactMap { $0.object?["event"]?.string }.filter { expected.contains($0) }
            #expect(told == expected)
            #expect(!story.contains { $0.object?["reason"] == "Ride" })
        }
    }

    @Test("A planned end that is moved while nothing is sent is due when that is resumed", arguments: places)
    private func moves(_ place: Place) async throws {
        try await Rig.run { rig in
            let put = #""type":"Match","contentState":{"n":1}"#
            #expect(try await rig.call(.put, "/v1/activities/final", "{\(put)}").status == 202)
            try await rig.store.write { ledger in
                var activity = try #require(try ledger.activity(ActivityID(rawValue: 1)))
                activity.dueAt = nil
                try ledger.update(activity)
            }
            #expect(try await rig.call(.post, "\(place.path)/halt").status == 200)
            let moved = try await rig.call(
                .put, "/v1/activities/final", #"{\#(put),"endsAt":"2022-12-28T15:00:00Z"}"#)
            #expect(moved["outcome"]?.string == "applied")
            #expect(moved["version"]?.integer == 1)
            #expect(try await rig.call(.post, "\(place.path)/resume").status == 200)
            #expect(try await rig.store.read { try $0.dueActivities(at: Rig.start, limit: 9).count } == 1)
        }
    }

    @Test func `A phone that registers gets no state of what is halted`() async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("one")
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            #expect(try await rig.call(.post, "/v1/types/Match/halt")["haltedSince"] != nil)
            let silent = try await rig.changes(phone.secret, Rig.card(2, "card", token: "t"))
            #expect(silent["cards"]?.array == [])
            #expect(try await rig.call(.post, "/v1/types/Match/resume").status == 200)
            let answered = try await rig.changes(phone.secret, Rig.card(3, "card", token: "t"))
            #expect(answered["cards"]?.array?.count == 1)
        }
    }

    @Test func `What is tried out says how it stands, and halts its activity with a reason where it fails`()
        async throws
    {
        try await Rig.run { rig in
            try await rig.phone("one")
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            let update = try await rig.call(
                .post, "/v1/activities/final/update", #"{"contentState":{"n":2},"canary":{"percent":5}}"#)
            #expect(update.status == 202)
            let shown = try await rig.call(.get, "/v1/activities/final")
            #expect(shown["canary", "state"]?.string == "delivering")
            #expect(shown["canary", "upToOrdinal"]?.integer == 1)
            #expect(shown["canary", "maximumRefusals"]?.double == 0.02)
            #expect(shown["stateVersion"]?.integer == 1)
            let operation = try #require(update["operation"]?.string)
            let polled = try await rig.call(.get, "/v1/operations/\(operation)")
            #expect(polled["state"]?.string == "accepted")
            #expect(polled["canary", "version"]?.integer == 2)
            try await rig.store.write { ledger in
                var activity = try #require(try ledger.activity(ActivityID(rawValue: 1)))
                activity.canary?.answers.refused = 9
                activity.judgeCanary(at: Rig.start)
                try ledger.update(activity)
            }
            let failed = try await rig.call(.get, "/v1/activities/final")
            #expect(failed["canary", "state"]?.string == "failed")
            #expect(failed["halt", "reason"]?.string?.contains("9 were refusals") == true, "\(failed.text)")
            #expect(try await rig.call(.post, "/v1/activities/final/resume")["halt"] == nil)
            let resumed = try await rig.call(.get, "/v1/activities/final")
            #expect(resumed["canary", "state"]?.string == "passed")
            #expect(resumed["stateVersion"]?.integer == 2)
        }
    }

    @Test func `An alert that is over before its canary goes on is warned of`() async throws {
        try await Rig.run { rig in
            try await rig.phone("one")
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            for (wait, life, warns) in [(30, 60, false), (59, 60, false), (60, 60, true), (400, nil, true)] {
                let lifetime = life.map { #","alertLifetime":\#($0)"# } ?? ""
                let reply = try await rig.call(
                    .post, "/v1/activities/final/update",
                    #"{"contentState":{"n":2},"alert":{"title":"t","body":"b"}\#(lifetime),"#
                        + #""canary":{"percent":5,"waitSeconds":\#(wait)}}"#)
                #expect(reply["warnings"]?.text.contains("first share") ?? false == warns, "\(reply.text)")
            }
        }
    }

    @Test func `Another app's activities and types are none of a key's business`() async throws {
        try await Rig.run { rig in
            try await rig.phone("one")
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            let key = rig.other.api
            #expect(try await rig.call(.post, "/v1/activities/final/halt", key: key).code == "activityUnknown")
            #expect(try await rig.call(.post, "/v1/types/Match/halt", key: key).status == 200)
            #expect(try await rig.call(.post, "/v1/apps/org.example.match/halt", key: key).code == "keyForbidden")
            #expect(try await rig.call(.get, "/v1/activities/final")["halt"] == nil)
        }
    }

    @Test func `Types that are halted have a limit, and each of them is shown`() async throws {
        try await Rig.run { rig in
            for number in 1...Halt.typeLimit {
                #expect(try await rig.call(.post, "/v1/types/T\(number)/halt").status == 200)
            }
            let over = try await rig.call(.post, "/v1/types/T0/halt")
            #expect(over.status == 422)
            #expect(over.field == "type")
            let app = try await rig.call(.get, "/v1/apps/org.example.match")
            #expect(app["haltedTypes"]?.array?.count == Halt.typeLimit)
        }
    }
}
