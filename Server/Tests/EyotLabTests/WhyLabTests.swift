import EyotContract
import EyotLab
import PhoneSimulator
import Testing

/// Situations made with phones, and what `GET /v1/why` finds.
@Suite("Why, of phones", .timeLimit(.minutes(10)))
struct WhyLabTests {
    private func events(_ story: JSONValue?) -> [String] {
        story?.array?.compactMap { $0.object?["event"]?.string } ?? []
    }

    private func post(_ lab: Lab, _ path: String) async throws {
        let answer = try await lab.api.call("POST", "/v1/activities/\(Lab.activity)/\(path)", body: [:])
        try #require(answer.status == 200, "\(answer.problem)")
    }

    @Test func `Phones that get no card are told apart`() async throws {
        try await Rig.run(phones: 1) { lab in
            _ = try await lab.add("off") { $0.settings.activitiesEnabled = false }
            _ = try await lab.add("old") { $0.os = IOSVersion(16, 4) }
            _ = try await lab.add("asked") { $0.settings.allowed = .never }
            let away = try await lab.add("away")
            try await lab.untilStartable(3, tag: "fans")
            away.goOffline()
            try await lab.start()
            for (user, expected) in [
                ("off", "activitiesOff"), ("old", "osTooOld"), ("asked", "waitingForAllow"),
                ("away", "startOnItsWay"), ("user-1", "shown"), ("stranger", "notRegistered"),
            ] {
                try await lab.until(user, is: expected)
            }
            let story = try await lab.why("user=away&activity=\(Lab.activity)")["story"]
            #expect(events(story).suffix(2) == ["start.sent", "push.accepted"])
            let late = try await lab.add("late")
            try await lab.until("late", is: "startMissed")
            try late.logout()
            let device = try #require(late.deviceID)
            try await lab.until(asking: "device=\(device)&activity=\(Lab.activity)", is: "notIdentified")
            try await lab.until("late", is: "notIdentified")
        }
    }

    @Test func `Cards that do not show the newest state are told apart`() async throws {
        try await Rig.run(phones: 8) { lab in
            try await lab.start()
            try await lab.untilTokens(8)
            try await lab.declare("update", score: 1)
            for number in 1...8 { try await lab.until("user-\(number)", is: "shown") }
            let phones = lab.phones
            try phones[0].dismiss(.only)
            try await phones[1].change(.only, LocalChange(contentState: nil, end: .standard))
            try await phones[2].inApp { eyot in eyot.stopTrackingAll() }
            try await phones[3].change(.only, LocalChange(contentState: Lab.state(score: 8)))
            try phones[4].identify("next")
            phones[5].goOffline()
            phones[7].changeSettings { $0.activitiesEnabled = false }
            for (user, expected) in [
                ("user-1", "dismissed"), ("user-2", "endedOnPhone"), ("user-3", "untracked"),
                ("user-4", "changedByApp"), ("next", "previousUser"), ("user-8", "activitiesOff"),
            ] {
                try await lab.until(user, is: expected)
            }
            try await post(lab, "halt")
            try await lab.declare("update", score: 2)
            try await lab.declare("update", score: 3)
            try await lab.until("user-7", is: "halted")
            try await post(lab, "resume")
            try await lab.until("user-7", is: "shown")
            try await lab.until("user-7", is: "superseded", more: "&version=3")
            let told = try await lab.why("user=user-7&activity=\(Lab.activity)")["story"]
            let accepted = told?.array?.compactMap(\.object).last { $0["event"] == "push.accepted" }
            #expect(accepted?["version"] == 4 && accepted?["superseded"] == [3])
            #expect(accepted?["apnsId"]?.string?.count == 36)
            // A phone may report before Apple's answer is settled.
            #expect(events(told).suffix(2).contains("card.shown"))
            try await lab.advanceClock(by: 60)
            try await lab.until("user-6", is: "offline")
            try await lab.advanceClock(by: 9 * 3_600)
            try await lab.until("user-7", is: "overTime")
        }
    }

    @Test func `What Apple and iOS refuse is told apart`() async throws {
        try await Rig.run(phones: 2) { lab in
            let full = lab.phones[1]
            for number in 1...5 {
                try full.start(
                    LocalStart(
                        type: "MatchAttributes",
                        attributes: ["eyotActivityName": .string("other-\(number)"), "home": "A", "away": "B"],
                        contentState: Lab.state(score: 0)))
            }
            for number in 1...5 {
                try await lab.until(asking: "user=user-2&activity=other-\(number)", is: "nothingDeclared")
            }
            try await lab.start()
            try await lab.until("user-1", is: "shown")
            try await lab.until("user-2", is: "tooManyCards")
            let other: JSONValue = [
                "type": "OrderAttributes", "attributes": [:], "contentState": [:], "audience": ["user": "user-1"],
                "alert": ["title": "t", "body": "b"],
            ]
            let started = try await lab.api.call("POST", "/v1/activities/order/start", body: other)
            try #require(started.status == 202, "\(started.problem)")
            try await lab.until(asking: "user=user-1&activity=order", is: "typeUnknown")
            lab.simulator.faults(of: .push).enqueue([.refuse(.unregistered)])
            try await lab.declare("update", score: 1, [("scope", ["user": "user-1"])])
            try await lab.until("user-1", is: "tokenDead")
            let story = try await lab.why("user=user-1&activity=\(Lab.activity)")["story"]
            #expect(events(story).contains("push.refused") && events(story).contains("token.update.dead"))
        }
    }
}
