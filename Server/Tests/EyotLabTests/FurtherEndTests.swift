import EyotContract
import EyotLab
import PhoneSimulator
import Testing

/// A further end for cards that ended and are still in view.
@Suite("A further end", .timeLimit(.minutes(10)))
struct FurtherEndTests {
    private static let longPast: JSONValue = "2020-01-01T00:00:00Z"

    private func end(_ lab: Lab, _ body: JSONValue) async throws -> (status: Int, outcome: String?) {
        let answer = try await lab.api.call(
            "POST", APIClient.path("v1", "activities", Lab.activity, "end"), body: body)
        return (answer.status, answer.body.object?["outcome"]?.string)
    }

    @Test(arguments: [true, false])
    func `takes the cards away where phones take it, and is pushed once`(takesSecondPushedEnd: Bool) async throws {
        var configuration = Rig.configuration(phones: 2)
        var rules = PhoneRules()
        rules.takesSecondPushedEnd = takesSecondPushedEnd
        configuration.phoneRules = rules
        try await Lab.run(configuration) { lab in
            try await lab.untilStartable(2, tag: "fans")
            try await lab.start()
            try await lab.untilTokens(2)
            try await lab.declare("end", score: 4)
            try await lab.untilShown(score: 4, .ended)
            let further = try await lab.declare("end", score: 5, [("dismissalDate", Self.longPast)])
            try await lab.untilDone(further)
            for phone in lab.phones {
                #expect(phone.cardsInView.map(\.phase) == (takesSecondPushedEnd ? [] : [.ended]))
                let ends = phone.state.pushes.entries.filter { $0.event == .end }
                #expect(ends.count == 2)
            }
            let again = try await end(lab, ["contentState": Lab.state(score: 5), "dismissalDate": Self.longPast])
            #expect((again.status, again.outcome) == (202, "unchanged"))
            #expect(try await end(lab, [:]).status == 409, "it says nothing that a card could show")
            let scoped: JSONValue = ["contentState": Lab.state(score: 6), "scope": ["tag": "fans"]]
            #expect(try await end(lab, scoped).status == 409, "a further end is for all cards")
            try await lab.advanceClock(by: 4 * 3_600 + 1)
            #expect(try await end(lab, ["contentState": Lab.state(score: 6)]).status == 409, "no card is in view")
        }
    }
}
