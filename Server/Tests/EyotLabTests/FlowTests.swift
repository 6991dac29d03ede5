import EyotContract
import EyotLab
import Foundation
import PhoneSimulator
import Testing

/// What goes wrong elsewhere: two things at once, and people who come and go.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `Flows over the whole platform` {
    /// What the server says of the cards of an activity, by their phases. A start without a card is none: a busy phone
    /// may list its cards before a start and report them after it, which counts that start as lost.
    private func phases(_ lab: Lab, of activity: String = Lab.activity) async throws -> [String] {
        let path = APIClient.path("v1", "activities", activity, "replicas")
        let answer = try await lab.api.call("GET", path)
        let phases = answer.body.object?["replicas"]?.array?.compactMap { $0.object?["phase"]?.string } ?? []
        return phases.filter { $0 != "notStarted" }
    }

    @Test func `Two types share the phone's one start token, and each card is of its own`() async throws {
        var configuration = Rig.configuration(phones: 2)
        configuration.types = LabType.builtIn.filter {
            ["MatchAttributes", "SportsActivityAttributes"].contains($0.name)
        }
        try await Lab.run(configuration) { lab in
            try await lab.untilStartable()
            try await lab.start()
            let sports: JSONValue = [
                "type": "SportsActivityAttributes", "attributes": ["gameName": "Cup", "gameNumber": "7"],
                "contentState": ["teamOneScore": 0, "teamTwoScore": 0], "audience": "all",
                "alert": ["title": "Game", "body": "Now"],
            ]
            let answer = try await lab.api.call("POST", "/v1/activities/game/start", body: sports)
            try #require(answer.status == 202, "\(answer.problem)")
            try await lab.until { lab.phones.allSatisfy { $0.cardsInView.count == 2 } }
            for phone in lab.phones {
                #expect(Set(phone.cardsInView.map(\.type)) == ["MatchAttributes", "SportsActivityAttributes"])
                #expect(Set(phone.cardsInView.compactMap(phone.name)) == ["final", "game"])
            }
            try await lab.untilTokens(2)
            try await lab.declare("update", score: 2)
            try await lab.until {
                lab.phones.allSatisfy { phone in
                    phone.cardsInView.allSatisfy {
                        $0.content.state.object?["homeScore"]?.integer == 2 || $0.type != "MatchAttributes"
                    }
                }
            }
        }
    }

    @Test func `Where the app and the server start one card in one moment, one stays and shows the newest`()
        async throws
    {
        try await Rig.run(phones: 6) { lab in
            async let started = lab.start()
            for phone in lab.phones { try phone.startLocally() }
            _ = try await started
            let update = try await lab.declare("update", score: 3)
            // Waits until Apple has answered every start, whichever card has its place by then. A card that appears
            // after the other has ended would find that one in view for hours.
            try await lab.untilDone(update)
            try await lab.untilShown(score: 3)
            try await lab.declare("end", score: 4)
            try await lab.untilShown(score: 4, .ended)
        }
    }

    @Test func `After a logout the second person's cards come, and the first one's do not`() async throws {
        try await Rig.run(phones: 1) { lab in
            let phone = lab.phones[0]
            try await lab.start()
            try await lab.untilShown(score: 0)
            try phone.logout()
            try await lab.until { phone.cardsInView.isEmpty }
            _ = try await lab.api.call("PUT", "/v1/users/second", body: ["tags": ["guests"]])
            try phone.identify("second")
            try await lab.untilStartable(1, tag: "guests")
            let start: JSONValue = [
                "type": "MatchAttributes", "attributes": ["home": "GER", "away": "ESP"],
                "contentState": Lab.state(score: 0), "audience": ["user": "second"],
                "alert": ["title": "Kick-off", "body": "Now"],
            ]
            let answer = try await lab.api.call("POST", "/v1/activities/semi/start", body: start)
            try #require(answer.status == 202, "\(answer.problem)")
            try await lab.until { phone.cardsInView.count == 1 }
            // The first person's match goes on without this phone.
            let again = try await lab.start([("restartDismissed", true), ("force", true)])
            #expect(again.object?["starting"] == 0)
            #expect(phone.cardsInView.compactMap(phone.name) == ["semi"])
        }
    }

    @Test func `A state that no phone decodes leaves the cards as they are, and the next one reaches them`()
        async throws
    {
        // A server that knew the type would refuse it.
        try await Rig.run(phones: 3, givingSchemas: false) { lab in
            try await lab.start()
            try await lab.untilTokens(3)
            let wrong: JSONValue = ["contentState": ["homeScore": "three", "awayScore": 0, "clock": "9'"]]
            let answer = try await lab.api.call("POST", "/v1/activities/final/update", body: wrong)
            #expect(answer.status == 202, "\(answer.problem)")
            try await lab.until {
                lab.phones.allSatisfy { phone in
                    phone.state.pushes.entries.contains { "\($0.effect)".contains("homeScore") }
                }
            }
            #expect(lab.phones.allSatisfy { $0.shows(score: 0) })
            try await lab.declare("update", score: 5)
            try await lab.untilShown(score: 5)
        }
    }

    @Test func `An end of ours is none of the person's, and theirs none of ours`() async throws {
        try await Rig.run(phones: 2) { lab in
            try await lab.start()
            try await lab.untilTokens(2)
            try lab.phones[0].dismiss(.only)
            try await lab.untilServer { try await phases(lab).sorted() == ["dismissed", "live"] }
            try await lab.declare("end", score: 1, [("dismissalDate", "2001-01-02T00:00:00Z")])
            try await lab.until { lab.phones[1].cardsInView.isEmpty }
            try await lab.untilServer { try await phases(lab).sorted() == ["dismissed", "ended"] }
        }
    }
}
