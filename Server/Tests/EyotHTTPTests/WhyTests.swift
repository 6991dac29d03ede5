import EyotCommands
import EyotContract
import EyotDomain
import Foundation
import Testing

@Suite("Why", .timeLimit(.minutes(10)))
struct WhyTests {
    /// The code of the finding for Ana's phone.
    private func finding(_ rig: Rig, _ query: String = "?user=ana&activity=final") async throws -> String? {
        let reply = try await rig.call(.get, "/v1/why\(query)")
        #expect(reply["finding", "sentence"]?.string?.hasSuffix(".") == true, "\(reply.text)")
        return reply["finding", "code"]?.string
    }

    private func storeKey(_ rig: Rig) async throws {
        let key = APNSKey(
            app: AppID(rawValue: 1), environment: .sandbox, teamID: "TEAM000001", keyID: "KEY0000001",
            sealed: SealedSecret(masterKeyID: "test", box: [1]), addedAt: Rig.start)
        try await rig.store.write { try $0.put(key) }
        rig.pushing.note(nil)
    }

    @Test func `before a card, the finding says what the phone lacks`() async throws {
        try await Rig.run { rig in
            try await storeKey(rig)
            #expect(try await finding(rig, "?user=ana") == "notRegistered")
            #expect(try await rig.call(.get, "/v1/why?user=ana&activity=final").code == "activityUnknown")
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            #expect(try await finding(rig) == "notRegistered")
            let phone = try await rig.phone("one", user: "ana", hasStartToken: false)
            #expect(try await finding(rig) == "noStartToken")
            _ = try await rig.changes(
                phone.secret,
                #"{"sequence":1,"kind":"setStartToken","type":"Match","token":"\#(Rig.token("one"))"}"#)
            #expect(try await finding(rig) == "notInvited")
            #expect(try await finding(rig, "?user=ana") == "upToDate")
            _ = try await rig.changes(
                phone.secret,
                #"{"sequence":2,"kind":"permissions","permissions":{"activities":false,"frequentPushes":false}}"#)
            #expect(try await finding(rig) == "activitiesOff")
            #expect(try await finding(rig, "?device=\(phone.id)&activity=final") == "activitiesOff")
            try await rig.phone("old", user: "bo", os: "16.4", hasStartToken: false)
            #expect(try await finding(rig, "?user=bo&activity=final") == "osTooOld")
        }
    }

    @Test func `of a card, the finding says what became of it`() async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("one", user: "ana")
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            #expect(try await finding(rig) == "apnsKeyMissing")
            try await storeKey(rig)
            #expect(try await finding(rig) == "startPlanned")
            #expect(try await rig.call(.post, "/v1/activities/final/halt").status == 200)
            #expect(try await finding(rig) == "halted")
            #expect(try await rig.call(.post, "/v1/activities/final/resume").status == 200)
            _ = try await rig.changes(
                phone.secret, #"{"sequence":2,"kind":"cardSeen","instance":"c","name":"final","type":"Match"}"#)
            #expect(try await finding(rig) == "waitingForAllow")
            _ = try await rig.changes(phone.secret, Rig.card(3, "c", token: "update"))
            #expect(["upToDate", "onItsWay"].contains(try await finding(rig)))
            rig.clock.advance(60)
            #expect(try await rig.call(.post, "/v1/activities/final/update", Body.update).status == 202)
            #expect(try await finding(rig) == "onItsWay")
            rig.pushing.note(.starting)
            #expect(try await finding(rig) == "notPushing")
            rig.pushing.note(nil)
            _ = try await rig.changes(
                phone.secret,
                #"{"sequence":4,"kind":"cardEvent","event":"dismissed","instance":"c","name":"final","type":"Match"}"#)
            let reply = try await rig.call(.get, "/v1/why?user=ana&activity=final")
            #expect(reply["finding", "code"] == "dismissed" && reply["finding", "confidence"] == "certain")
            let story = reply["story"]?.array?.compactMap { $0.object?["event"]?.string } ?? []
            #expect(
                story == [
                    "device.registered", "device.identified", "token.start.set", "activity.declared",
                    "activity.halted", "activity.resumed", "card.appeared", "token.update.set", "activity.declared",
                    "card.dismissed",
                ])
        }
    }

    @Test func `what a phone reports of its card is told apart from what Apple accepted`() async throws {
        try await Rig.run { rig in
            try await storeKey(rig)
            let phone = try await rig.phone("one", user: "ana")
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            _ = try await rig.changes(phone.secret, Rig.card(2, "c", token: "update"))
            // No engine pushes here.
            try await rig.store.write { ledger in
                var card = try #require(try ledger.replica(1, of: ActivityID(rawValue: 1)))
                (card.acceptedVersion, card.alertedVersion, card.lastSecond) = (1, 1, Rig.start.second)
                try ledger.update(card)
            }
            #expect(try await finding(rig) == "upToDate")
            rig.clock.advance(60)
            func report(_ sequence: Int, _ state: JSONValue) async throws {
                let change =
                    #"{"sequence":\#(sequence),"kind":"cardEvent","event":"contentApplied","instance":"c","#
                    + #""name":"final","type":"Match","digest":"\#(StateDigest(of: state).text)"}"#
                #expect(try await rig.changes(phone.secret, change).status == 200)
            }
            try await report(3, ["n": 1])
            #expect(try await finding(rig) == "shown")
            let shown = try await rig.call(.get, "/v1/activities/final/replicas")["replicas", "0", "shown"]?.object
            #expect(shown?["version"] == 1 && shown?["at"]?.string == rig.clock.now.rfc3339)
            try await report(4, ["n": 9])
            #expect(try await finding(rig) == "upToDate")
            rig.clock.advance(60)
            #expect(try await finding(rig) == "notShown")
            let other = try await rig.call(.get, "/v1/activities/final/replicas")["replicas", "0", "shown"]?.object
            #expect(other?["version"] == nil && other?["at"] != nil)
            let export = try await rig.call(.get, "/v1/users/ana/export")
            #expect(export["devices", "0", "cards", "0", "shown"]?.object?["at"] != nil)
        }
    }

    @Test func `a story tells what was declared, also if other cards have had many events since`() async throws {
        try await Rig.run { rig in
            let phone = try await rig.phone("one", user: "ana")
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            let device = DeviceID(rawValue: try #require(Int64(phone.id)) + 1)
            try await rig.store.write { ledger in
                for ordinal in 2...300 {
                    try ledger.record(
                        Event(
                            app: AppID(rawValue: 1), at: Rig.start, Fact(.cardAppeared),
                            activity: ActivityID(rawValue: 1), ordinal: ordinal, device: device))
                }
            }
            let story = try await rig.call(.get, "/v1/why?user=ana&activity=final")["story"]?.array ?? []
            let declared = story.compactMap(\.object).filter { $0["event"] == "activity.declared" }
            #expect(declared.count == 1 && declared.first?["operation"] == "1")
        }
    }

    @Test func `a user who has two phones gets a finding for each`() async throws {
        try await Rig.run { rig in
            try await storeKey(rig)
            try await rig.phone("old", user: "ana", os: "16.4", hasStartToken: false)
            rig.clock.advance(60)
            let new = try await rig.phone("new", user: "ana")
            let reply = try await rig.call(.get, "/v1/why?user=ana")
            #expect(reply["device"]?.string == new.id && reply["finding", "code"] == "upToDate")
            #expect(reply["others"]?.array?.count == 1)
            #expect(reply["others", "0", "finding", "code"] == "osTooOld")
        }
    }

    @Test func `without an activity each card of the user is explained, newest first`() async throws {
        try await Rig.run { rig in
            try await storeKey(rig)
            let phone = try await rig.phone("one", user: "ana")
            #expect(try await rig.call(.post, "/v1/activities/final/start", Body.start).status == 202)
            rig.clock.advance(60)
            #expect(try await rig.call(.post, "/v1/activities/semi/start", Body.start).status == 202)
            let reply = try await rig.call(.get, "/v1/why?user=ana")
            #expect(reply["cards"]?.array?.compactMap { $0.object?["activity"]?.string } == ["semi", "final"])
            #expect(reply["cards", "0", "device"]?.string == phone.id && reply["cards", "0", "desired"] == 1)
            #expect(reply["cards", "0", "finding", "code"] == "startPlanned")
            #expect(try await rig.call(.get, "/v1/why?device=\(phone.id)")["cards"]?.array?.count == 2)
            #expect(try await rig.call(.get, "/v1/why?user=ana&activity=final")["cards"] == nil)
            let cards = try await rig.call(.get, "/v1/devices/\(phone.id)/cards")["cards"]?.array ?? []
            #expect(cards.compactMap { $0.object?["activity"]?.string } == ["semi", "final"])
        }
    }

    @Test func `a key that may ask why and nothing else is told of cards, and reads no people`() async throws {
        try await Rig.run { rig in
            _ = try await rig.phone("one", user: "ana")
            let made = try await rig.call(.post, "/v1/keys", #"{"name":"support","scopes":["why:read"]}"#)
            let key = try #require(made["key"]?.string)
            #expect(try await rig.call(.get, "/v1/why?user=ana", key: key).status == 200)
            #expect(try await rig.call(.get, "/v1/users/ana/cards", key: key).status == 403)
            #expect(try await rig.call(.get, "/v1/log", key: key).status == 403)
        }
    }

    @Test func `The story of a phone tells the starts that led to no card, and what it lacked then`() async throws {
        try await Rig.run { rig in
            try await storeKey(rig)
            var score = 1
            func start() async throws {
                rig.clock.advance(10)
                let body = Body.start.replacing(#"{"n":1}"#, with: #"{"n":\#(score)}"#)
                #expect(try await rig.call(.post, "/v1/activities/final/start", body).status == 202)
                score += 1
                rig.clock.advance(10)
            }
            try await start()
            let phone = try await rig.phone("one", user: "ana", hasStartToken: false)
            try await start()
            try await start()
            _ = try await rig.changes(
                phone.secret,
                #"{"sequence":1,"kind":"setStartToken","type":"Match","token":"\#(Rig.token("one"))"}"#)
            _ = try await rig.changes(
                phone.secret,
                #"{"sequence":2,"kind":"permissions","permissions":{"activities":false,"frequentPushes":false}}"#)
            try await start()
            _ = try await rig.changes(
                phone.secret,
                #"{"sequence":3,"kind":"permissions","permissions":{"activities":true,"frequentPushes":true}}"#)
            try await start()
            let story = try await rig.call(.get, "/v1/why?user=ana&activity=final")["story"]?.array ?? []
            let skipped = story.compactMap(\.object).filter { $0["event"] == "start.skipped" }
            // Two starts for one reason are told once, and the last one has reserved a place.
            #expect(skipped.compactMap { $0["reason"]?.string } == ["notRegistered", "noStartToken", "disabled"])
            #expect(
                skipped.last?["text"]
                    == "The activity was started, and this phone got no card: Live Activities were switched off for the app."
            )
        }
    }

    @Test func `the reference lists each finding, and what to do about it`() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../../docs/reference/api/events.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let parts = text.components(separatedBy: "<!-- findings -->\n")
        let rest = try #require(parts.last?.components(separatedBy: "<!-- /findings -->"))
        let rows = FindingCode.allCases.map { "| `\($0.rawValue)` | \($0.remedy ?? "Nothing is wrong.") |\n" }
        let table = "\n| finding | what to do |\n|---|---|\n" + rows.joined() + "\n"
        if ProcessInfo.processInfo.environment["WRITE_GOLDEN"] != nil {
            try Data((parts[0] + "<!-- findings -->\n" + table + "<!-- /findings -->" + rest[1]).utf8).write(to: page)
        }
        #expect(rest[0] == table)
    }
}
