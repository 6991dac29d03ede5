import APNSWire
import EyotContract
import EyotDomain
import EyotEngine
import Testing

@Suite("Reading")
struct ReadingTests {
    /// Starts cards on phones `one`, `two`, … and lets `one` report its token.
    private func prepare(_ rig: Rig, phones: [String] = ["one", "two"]) async throws -> String {
        var first = ""
        for (index, name) in phones.enumerated() {
            let phone = try await rig.phone(name, user: "user-\(name)", tags: ["fans"])
            if index == 0 { first = phone.secret }
        }
        #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
        return first
    }

    @Test func `Devices come in pages, without tokens`() async throws {
        try await Rig.run { rig in
            for name in ["one", "two", "three", "four", "five"] {
                try await rig.phone(name, user: "user-\(name)", tags: name == "two" ? ["press"] : ["fans"])
            }
            var seen: [String] = []
            var next: String? = ""
            while let after = next {
                let page = try await rig.call(.get, "/v1/devices?limit=2" + (after.isEmpty ? "" : "&after=\(after)"))
                seen += (page["devices"]?.array ?? []).compactMap { $0.object?["user"]?.string }
                #expect((page["devices"]?.array?.count ?? 0) <= 2)
                #expect(!page.text.contains(Rig.token("one")))
                next = page["next"]?.string
            }
            #expect(seen == ["user-one", "user-two", "user-three", "user-four", "user-five"])
            let press = try await rig.call(.get, "/v1/devices?tag=press")
            #expect(press["devices"]?.array?.count == 1)
            #expect(press["devices", "0", "startTokens", "0", "type"]?.string == "Match")
            #expect(try await rig.call(.get, "/v1/devices?tag=press&user=user-one")["devices"]?.array == [])
            #expect(try await rig.call(.get, "/v1/devices?user=user-five")["devices"]?.array?.count == 1)
        }
    }

    @Test func `Activities come in pages, in the order of their names`() async throws {
        try await Rig.run { rig in
            for name in ["b", "a", "c/d", "é"] {
                let path = name.replacing("/", with: "%2F").replacing("é", with: "%C3%A9")
                #expect(try await rig.call(.post, "/v1/activities/\(path)/start", Body.start).status == 202)
            }
            let first = try await rig.call(.get, "/v1/activities?limit=3")
            #expect(first["activities"]?.array?.compactMap { $0.object?["name"]?.string } == ["a", "b", "c/d"])
            #expect(first["next"]?.string == "c/d")
            let second = try await rig.call(.get, "/v1/activities?limit=3&after=c%2Fd")
            #expect(second["activities"]?.array?.compactMap { $0.object?["name"]?.string } == ["é"])
            #expect(second["next"] == nil)
        }
    }

    @Test func `A clock that is set back does not hide for how long cards have been behind`() async throws {
        try await Rig.run { rig in
            let secret = try await prepare(rig)
            #expect(try await rig.changes(secret, Rig.card(2, "c1", token: "t1")).status == 200)
            let before = rig.clock.now
            rig.clock.advance(-10_800)
            rig.pushing.note(ClockSetBack(before: before + 10, after: rig.clock.now))
            rig.clock.advance(5)
            let reply = try await rig.call(.get, "/v1/activities/final")
            #expect(reply["stateAge", "now", "behind"]?.integer == 2)
            #expect(reply["stateAge", "now", "maxSeconds"]?.double == 15)
        }
    }

    @Test func `An activity counts its replicas by phase, and says who is behind and for how long`() async throws {
        try await Rig.run { rig in
            let secret = try await prepare(rig)
            #expect(try await rig.changes(secret, Rig.card(2, "c1", token: "t1")).status == 200)
            rig.clock.advance(10)
            _ = try await rig.call(.post, "/v1/activities/final/update", Body.update)
            rig.clock.advance(5)
            let reply = try await rig.call(.get, "/v1/activities/final")
            #expect(reply["state"]?.string == "active")
            #expect(reply["phases", "live"]?.integer == 1)
            #expect(reply["phases", "starting"]?.integer == 1)
            #expect(reply["stateAge", "now", "behind"]?.integer == 2)
            // The card that has shown nothing yet has waited since the first declaration, or since it had its token.
            #expect(reply["stateAge", "now", "maxSeconds"]?.double == 15)
            #expect(reply["stateAge", "caughtUp", "count"]?.integer == 0)
            #expect(reply["stateAge", "caughtUp", "p50"] == .null)
        }
    }

    @Test func `Replicas tell their story, without tokens`() async throws {
        try await Rig.run { rig in
            let secret = try await prepare(rig, phones: ["one", "two", "three"])
            _ = try await rig.changes(secret, Rig.card(2, "c1", token: "t1"))
            let first = try await rig.call(.get, "/v1/activities/final/replicas?limit=2")
            #expect(first["replicas"]?.array?.count == 2)
            #expect(first["replicas", "0", "phase"]?.string == "live")
            #expect(first["replicas", "0", "instance"]?.string == "c1")
            #expect(first["replicas", "0", "user"]?.string == "user-one")
            #expect(first["replicas", "0", "desired"]?.integer == 1)
            #expect(first["replicas", "0", "isBehind"]?.bool == true)
            #expect(first["replicas", "0", "token", "token"]?.string?.contains("…") == true)
            #expect(first["replicas", "1", "start", "state"]?.string == "planned")
            #expect(!first.text.contains(Rig.token("t1")))
            let next = try #require(first["next"]?.string)
            let second = try await rig.call(.get, "/v1/activities/final/replicas?limit=2&after=\(next)")
            #expect(second["replicas"]?.array?.count == 1)
            #expect(second["next"] == nil)
        }
    }

    // MARK: Operations

    /// Lets Apple say this to everything that is due, as the engine would.
    private func deliver(_ rig: Rig, _ verdict: PushVerdict = .accepted) async throws {
        rig.clock.advance(2)
        let now = rig.clock.now
        try await rig.store.write { ledger in
            let looks = try ledger.dueActivities(at: now, limit: 100).map { EngineCore.Look(activity: $0.id) }
            let room = EngineCore.TakeRoom(pushes: 1_000, replicas: 1_000)
            for page in try TakePages(Transaction(ledger, at: now))(looks, in: room).pages {
                _ = try SettlePage(Transaction(ledger, at: now))(page, PageVerdicts(count: page.count, verdict))
            }
            // The look that finds nothing to do.
            _ = try TakePages(Transaction(ledger, at: now))(looks, in: room)
        }
    }

    private func status(_ rig: Rig, _ operation: String) async throws -> (String?, Int?) {
        let reply = try await rig.call(.get, "/v1/operations/\(operation)")
        return (reply["state"]?.string, reply["supersededBy", "version"]?.integer)
    }

    @Test func `An operation is under way until Apple has accepted it for everybody it concerns`() async throws {
        try await Rig.run { rig in
            let secret = try await prepare(rig)
            #expect(try await status(rig, "1") == ("accepted", nil))
            try await deliver(rig)
            #expect(try await status(rig, "1") == ("done", nil))
            _ = try await rig.changes(secret, Rig.card(2, "c1", token: "t1"))
            _ = try await rig.call(.post, "/v1/activities/final/update", Body.update)
            #expect(try await status(rig, "2") == ("accepted", nil))
            #expect(try await status(rig, "1").0 == "done")
            _ = try await rig.call(.post, "/v1/activities/final/update", #"{"contentState":{"n":3}}"#)
            #expect(try await status(rig, "2") == ("superseded", 3))
            #expect(try await status(rig, "3") == ("accepted", nil))
            try await deliver(rig)
            #expect(try await status(rig, "3") == ("done", nil))
            #expect(try await status(rig, "2") == ("superseded", 3))
            let record = try await rig.call(.get, "/v1/operations/3")
            #expect(record["verb"]?.string == "update")
            #expect(record["counts"]?.text == #"{"accepted":1,"refused":0,"unknown":0,"superseded":0}"#)
            #expect(record["completedAt"]?.string == "2022-12-18T15:00:04Z")
            let activity = try await rig.call(.get, "/v1/activities/final")
            #expect(activity["stateAge", "now", "behind"]?.integer == 0)
            #expect(activity["tally", "started"]?.integer == 2)
            #expect(activity["stateAge", "caughtUp", "max"]?.double == 2)
        }
    }

    @Test func `A push that goes again is waited for, and one that is refused for good is not`() async throws {
        try await Rig.run { rig in
            let secret = try await prepare(rig)
            try await deliver(rig)
            _ = try await rig.changes(secret, Rig.card(2, "c1", token: "t1"))
            try await deliver(rig)
            _ = try await rig.call(.post, "/v1/activities/final/update", Body.update)
            try await deliver(rig, .refused(.serviceUnavailable))
            #expect(try await status(rig, "2") == ("delivering", nil))
            try await deliver(rig, .unknown)
            #expect(try await status(rig, "2") == ("delivering", nil))
            try await deliver(rig, .refused(.unregistered))
            #expect(try await status(rig, "2") == ("done", nil))
            let record = try await rig.call(.get, "/v1/operations/2")
            #expect(record["counts"]?.text == #"{"accepted":0,"refused":2,"unknown":1,"superseded":0}"#)
            // What comes later is no part of it.
            _ = try await rig.changes(secret, Rig.card(3, "c1", token: "t2"))
            try await deliver(rig)
            #expect(try await rig.call(.get, "/v1/operations/2").text == record.text)
        }
    }

    @Test func `A repeated state is done when somebody has looked`() async throws {
        try await Rig.run { rig in
            _ = try await prepare(rig)
            try await deliver(rig)
            let again = try await rig.call(.put, "/v1/activities/final", Body.start)
            #expect(again["outcome"]?.string == "unchanged")
            let id = again["operation"]?.string ?? ""
            #expect(try await status(rig, id).0 == "accepted")
            try await deliver(rig)
            #expect(try await status(rig, id).0 == "done")
        }
    }

    @Test func `An end for some is superseded by no update`() async throws {
        try await Rig.run { rig in
            let secret = try await prepare(rig)
            try await deliver(rig)
            _ = try await rig.changes(secret, Rig.card(2, "c1", token: "t1"))
            try await deliver(rig)
            let reply = try await rig.call(.post, "/v1/activities/final/end", #"{"scope":{"user":"user-one"}}"#)
            let end = try #require(reply["operation"]?.string)
            _ = try await rig.call(.post, "/v1/activities/final/update", Body.update)
            #expect(try await status(rig, end) == ("accepted", nil))
            try await deliver(rig)
            #expect(try await status(rig, end) == ("done", nil))
        }
    }

    @Test func `A scoped operation waits for its members alone, and an end for every card`() async throws {
        try await Rig.run { rig in
            let secret = try await prepare(rig)
            try await deliver(rig)
            _ = try await rig.changes(secret, Rig.card(2, "c1", token: "t1"))
            try await deliver(rig)
            let scoped = try await rig.call(
                .post, "/v1/activities/final/update", #"{"contentState":{"n":7},"scope":{"user":"user-two"}}"#)
            // User two's card has no token yet: nothing can be done for it.
            try await deliver(rig)
            #expect(try await status(rig, scoped["operation"]?.string ?? "").0 == "done")
            let own = try await rig.call(
                .post, "/v1/activities/final/update", #"{"contentState":{"n":8},"scope":{"user":"user-one"}}"#)
            #expect(try await status(rig, own["operation"]?.string ?? "").0 == "accepted")
            let end = try await rig.call(.post, "/v1/activities/final/end", "{}")
            #expect(try await status(rig, end["operation"]?.string ?? "").0 == "accepted")
            try await deliver(rig)
            #expect(try await status(rig, end["operation"]?.string ?? "").0 == "done")
            #expect(try await rig.call(.get, "/v1/activities/final")["state"]?.string == "ended")
        }
    }
}
