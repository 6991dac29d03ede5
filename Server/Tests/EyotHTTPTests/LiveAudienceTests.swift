import EyotCommands
import EyotContract
import EyotDomain
import Testing

@Suite("Audiences that stay open")
struct LiveAudienceTests {
    private func start(_ live: String, _ audience: String = #"{"tag":"fans"}"#) -> String {
        #"{"type":"Match","attributes":{},"contentState":{"n":1},"alert":\#(Body.alert),"audience":\#(audience),"live":\#(live)}"#
    }

    /// Does what the server does beside its calls, until there is nothing left.
    private func process(_ rig: Rig) async throws {
        let now = rig.clock.now
        while true {
            let looks = try await rig.store.read {
                try AdmitLiveMembers.unlooked(in: $0).map { [ledger = $0] in
                    try AdmitLiveMembers.look($0, in: ledger, at: now)
                }
            }
            for look in looks {
                try await rig.store.write { try AdmitLiveMembers(Transaction($0, at: now)).take(look) }
            }
            let hasChanged = try await rig.store.write {
                try AdmitLiveMembers(Transaction($0, at: now)).lookAtChanged()
            }
            if looks.isEmpty, !hasChanged { return }
        }
    }

    private func cards(_ rig: Rig, _ name: String = "final") async throws -> [String] {
        try await rig.call(.get, "/v1/activities/\(name)/replicas")["replicas"]?.array?
            .compactMap { $0.object?["device"]?.string } ?? []
    }

    @Test func `Who comes to belong is started, once, and nobody after the end`() async throws {
        try await Rig.run { rig in
            let first = try await rig.phone("a", user: "anna", tags: ["fans"])
            let reply = try await rig.call(.post, "/v1/activities/final/start", start("true"))
            #expect(reply.status == 202 && reply["starting"]?.integer == 1, "\(reply.text)")
            try await process(rig)
            #expect(try await cards(rig) == [first.id])
            // Registers with its user, and gets its start token.
            let second = try await rig.phone("b", user: "anna")
            // Is a fan by a change of its user.
            let third = try await rig.phone("c", user: "bert")
            _ = try await rig.phone("d", user: "cleo")
            try await process(rig)
            #expect(try await cards(rig) == [first.id, second.id])
            _ = try await rig.call(.patch, "/v1/users/bert", #"{"tags":{"add":["fans"]}}"#)
            try await process(rig)
            #expect(try await cards(rig) == [first.id, second.id, third.id])
            // A change that moves no device into the audience starts no second card.
            _ = try await rig.call(.patch, "/v1/users/anna", #"{"attributes":{"n":1}}"#)
            try await process(rig)
            #expect(try await cards(rig).count == 3)
            _ = try await rig.call(.post, "/v1/activities/final/end", "{}")
            _ = try await rig.call(.patch, "/v1/users/cleo", #"{"tags":["fans"]}"#)
            try await process(rig)
            #expect(try await cards(rig).count == 3)
            let open = try await rig.store.read { try $0.liveAudiences(of: AppID(rawValue: 1), limit: 9) }
            #expect(open.isEmpty)
        }
    }

    @Test(arguments: ["dismissed", "ended"])
    func `A card that is over does not come back`(event: String) async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("a", user: "anna", tags: ["fans"])
            _ = try await rig.call(.post, "/v1/activities/final/start", start("true"))
            _ = try await rig.changes(phone.secret, Rig.card(2, "i1", token: "card"))
            _ = try await rig.changes(
                phone.secret,
                #"{"sequence":3,"kind":"cardEvent","instance":"i1","name":"final","type":"Match","event":"\#(event)"}"#)
            _ = try await rig.changes(
                phone.secret, #"{"sequence":4,"kind":"setStartToken","type":"Match","token":"\#(Rig.token("new"))"}"#)
            try await process(rig)
            let replicas = try await rig.call(.get, "/v1/activities/final/replicas")["replicas"]?.array ?? []
            #expect(replicas.count == 1 && replicas[0].object?["phase"]?.string == event)
        }
    }

    @Test func `Nobody is started whose build could not show the card`() async throws {
        try await Rig.run { rig in
            let schema =
                #"{"schema":{"attributes":{},"contentState":{"type":"object","properties":{"n":{"type":"string"}},"#
                + #""required":["n"]}},"builds":["0.9 (1)"]}"#
            let pushed = try await rig.call(.put, "/v1/types/Match/schemas", schema)
            #expect(pushed.status == 200, "\(pushed.text)")
            _ = try await rig.call(.post, "/v1/activities/final/start", start("true", #""all""#))
            _ = try await rig.phone("old", build: "0.9 (1)")
            let able = try await rig.phone("new")
            try await process(rig)
            #expect(try await cards(rig) == [able.id])
        }
    }

    @Test func `No more are started than the limit says, and who came while it was declared is found`() async throws {
        try await Rig.run { rig in
            let reply = try await rig.call(
                .post, "/v1/activities/final/start", start(#"{"limit":2}"#))
            #expect(reply.status == 202 && reply["starting"]?.integer == 0, "\(reply.text)")
            for index in 0..<3 { _ = try await rig.phone("p\(index)", user: "u\(index)", tags: ["fans"]) }
            // As if their changes had come before the audience was there.
            try await rig.store.write { ledger in
                for id in try ledger.changedDevices(limit: 100) { try ledger.removeChanged(id) }
            }
            try await process(rig)
            #expect(try await cards(rig).count == 2)
        }
    }

    @Test func `One that is asked for again and again with new states stays one, and its limit with it`() async throws {
        try await Rig.run { rig in
            for index in 0..<3 { _ = try await rig.phone("p\(index)", user: "u\(index)", tags: ["fans"]) }
            for state in 1...LiveAudience.perApp + 1 {
                let said = start(#"{"limit":2}"#).replacing(#""n":1"#, with: #""n":\#(state)"#)
                let reply = try await rig.call(.put, "/v1/activities/final", said)
                #expect(reply.status == 202, "\(reply.text)")
            }
            let open = try await rig.store.read { try $0.liveAudiences(of: AppID(rawValue: 1), limit: 9) }
            #expect(open.map(\.start.attributesVersion) == [LiveAudience.perApp + 1])
            for index in 3..<6 { _ = try await rig.phone("p\(index)", user: "u\(index)", tags: ["fans"]) }
            try await process(rig)
            #expect(try await cards(rig).count == 5, "three were there, and two came")
            let again = try await rig.call(.put, "/v1/activities/final", start(#"{"limit":2}"#))
            #expect(again.status == 202, "\(again.text)")
            let left = try await rig.store.read { try $0.liveAudiences(of: AppID(rawValue: 1), limit: 9) }
            #expect(left.map(\.started) == [2])
        }
    }

    @Test(
        "A phone whose start Apple refused is started when it has another token",
        arguments: [StartFailure.refused, .suspected])
    func startsAgain(_ failure: StartFailure) async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("a", user: "anna", tags: ["fans"])
            _ = try await rig.call(.post, "/v1/activities/final/start", start("true"))
            try await process(rig)
            try await rig.store.write { ledger in
                let activity = try #require(try ledger.newestActivity(named: "final", in: AppID(rawValue: 1)))
                var place = try #require(try ledger.replica(1, of: activity.id))
                (place.phase, place.lease) = (.notStarted(failure), nil)
                try ledger.update(place)
            }
            _ = try await rig.changes(
                phone.secret, #"{"sequence":2,"kind":"setStartToken","type":"Match","token":"\#(Rig.token("new"))"}"#)
            try await process(rig)
            #expect(try await cards(rig) == [phone.id, phone.id])
        }
    }

    @Test func `So many stay open in an app, and those of ended activities make room`() async throws {
        try await Rig.run { rig in
            for index in 0..<LiveAudience.perApp {
                #expect(try await rig.call(.post, "/v1/activities/m\(index)/start", start("true")).status == 202)
            }
            let refused = try await rig.call(.post, "/v1/activities/more/start", start("true"))
            #expect(refused.status == 429 && refused.code == "tooManyLiveAudiences", "\(refused.text)")
            _ = try await rig.call(.post, "/v1/activities/m7/end", "{}")
            #expect(try await rig.call(.post, "/v1/activities/more/start", start("true")).status == 202)
        }
    }

    @Test func `What makes no sense with it is refused`() async throws {
        try await Rig.run { rig in
            for live in [#"{"limit":0}"#, #"{"limit":1000001}"#, #"{}"#, #""yes""#] {
                let reply = try await rig.call(.post, "/v1/activities/final/start", start(live))
                #expect(reply.status == 422 && reply.field?.hasPrefix("live") == true, "\(reply.text)")
            }
            let update = try await rig.call(.post, "/v1/activities/final/update", #"{"contentState":{},"live":true}"#)
            #expect(update.status == 422 && update.field == "live")
        }
    }
}
