import EyotContract
import EyotLab
import PhoneSimulator
import Testing

/// Which card belongs to which start, and what took a card away, with the real SDK.
@Suite("Cards and starts", .serialized, .timeLimit(.minutes(10)))
struct CardsAndStartsTests {
    @discardableResult
    private func put(_ lab: Lab, score: Int) async throws -> JSONValue {
        let body: JSONObject = JSONObject([
            ("type", "MatchAttributes"), ("attributes", Lab.attributes), ("contentState", Lab.state(score: score)),
            ("audience", "all"), ("start", ["alert": ["title": "Kick-off", "body": "Now"]]),
        ])
        let answer = try await lab.api.call(
            "PUT", APIClient.path("v1", "activities", Lab.activity), body: .object(body))
        try #require(answer.status == 202 || answer.status == 200, "\(answer.problem)")
        return answer.body
    }

    /// Rules of phones with apps that run only when they are opened.
    private var quietPhones: PhoneRules {
        var rules = PhoneRules()
        rules.wakesForceQuitApp = false
        return rules
    }

    @Test func `Of two cards that the app finds when it is opened, one stays with the newest state (R6)`() async throws
    {
        try await Rig.run(phones: 2) { lab in
            for phone in lab.phones {
                phone.changeRules(quietPhones)
                phone.forceQuit()
            }
            try await put(lab, score: 1)
            try await lab.until { lab.phones.allSatisfy { $0.state.cards.count == 1 } }
            try await lab.declare("end", score: 1)
            try await put(lab, score: 2)
            try await lab.until { lab.phones.allSatisfy { $0.state.cards.count == 2 } }
            for phone in lab.phones { phone.launch() }
            try await lab.untilShown(score: 2)
            try await lab.untilTokens(2)
            try await lab.declare("update", score: 3)
            try await lab.untilShown(score: 3)
        }
    }

    @Test func `A start, an end and a start at once leave each phone one card (R6)`() async throws {
        try await Rig.run(phones: 8) { lab in
            try await put(lab, score: 1)
            try await lab.declare("end", score: 1)
            try await put(lab, score: 2)
            try await lab.untilShown(score: 2)
            try await lab.untilTokens(8)
            try await lab.declare("update", score: 3)
            try await lab.untilShown(score: 3)
        }
    }

    @Test func `A card that the app or the switch has ended is started again, and a swiped one is not (R13)`()
        async throws
    {
        try await Rig.run(phones: 3) { lab in
            try await put(lab, score: 1)
            try await lab.untilTokens(3)
            let phones = lab.phones
            try await phones[0].change(.only, LocalChange(contentState: nil, end: .immediate))
            phones[1].changeSettings { $0.activitiesEnabled = false }
            try phones[2].dismiss(.only)
            try await lab.untilPhase("live", 0)
            phones[1].changeSettings { $0.activitiesEnabled = true }
            try await lab.untilServer {
                let list = try await lab.api.call("GET", "/v1/devices").body.object?["devices"]?.array ?? []
                return list.allSatisfy { $0.object?["permissions"]?.object?["activities"] != false }
            }
            let skipped = try await put(lab, score: 2).object?["skipped"]?.object
            #expect(skipped?["dismissed"] == 1 && skipped?.members.count == 1)
            try await lab.untilShown(score: 2, on: [phones[0], phones[1]])
            #expect(phones[2].cardsInView.isEmpty)
        }
    }
}
