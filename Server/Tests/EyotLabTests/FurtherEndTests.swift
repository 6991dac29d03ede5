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
            try await lab.advanceClock(by: 4 * 3_600 + 1)
            #expect(try await end(lab, ["contentState": Lab.state(score: 6)]).status == 409, "no card is in view")
        }
    }

    @Test func `without a state ends the cards that could not decode the end before, if no schema is known`()
        async throws
    {
        var configuration = Rig.configuration(phones: 2)
        configuration.givesSchemas = false
        try await Lab.run(configuration) { lab in
            try await lab.untilStartable(2, tag: "fans")
            try await lab.start()
            try await lab.untilTokens(2)
            let first = try await lab.api.call(
                "POST", APIClient.path("v1", "activities", Lab.activity, "end"),
                body: ["contentState": ["homeScore": "four"]])
            try await lab.untilDone(first.body)
            #expect(lab.phones.allSatisfy { $0.cardsInView.map(\.phase) == [.active] })
            let second = try await lab.api.call(
                "POST", APIClient.path("v1", "activities", Lab.activity, "end"), body: [:])
            #expect(second.status == 202, "\(second.problem)")
            try await lab.untilDone(second.body)
            #expect(lab.phones.allSatisfy { $0.cardsInView.map(\.phase) == [.ended] })
            #expect(try await end(lab, [:]).status == 409, "it says nothing that the end before did not say")
        }
    }

    @Test func `with a scope takes the cards of its members away, and gives way to a later one for everyone`()
        async throws
    {
        var configuration = Rig.configuration(phones: 3)
        var rules = PhoneRules()
        rules.takesSecondPushedEnd = true
        configuration.phoneRules = rules
        try await Lab.run(configuration) { lab in
            try await lab.untilStartable(3, tag: "fans")
            try await lab.start()
            try await lab.untilTokens(3)
            // The first phone's card is ended alone while the others run.
            try await lab.untilDone(try await lab.declare("end", score: 3, [("scope", ["user": "user-1"])]))
            try await lab.untilDone(try await lab.declare("end", score: 4))
            let removal: [(String, JSONValue)] = [("dismissalDate", Self.longPast)]
            let scoped = try await lab.declare("end", score: 5, removal + [("scope", ["user": "user-2"])])
            try await lab.untilDone(scoped)
            #expect(lab.phones.map { $0.cardsInView.map(\.phase) } == [[.ended], [], [.ended]])
            #expect(lab.phones[2].state.pushes.entries.filter { $0.event == .end }.count == 1)
            try await lab.untilDone(try await lab.declare("end", score: 6, [("scope", ["user": "user-3"])]))
            #expect(lab.phones[2].state.pushes.entries.filter { $0.event == .end }.count == 2)
            try await lab.untilDone(try await lab.declare("end", score: 7, removal))
            #expect(lab.phones.map { $0.cardsInView.count } == [1, 0, 0], "a card that was ended alone stays as it is")
            #expect(lab.phones.map { $0.state.pushes.entries.filter { $0.event == .end }.count } == [1, 2, 3])
        }
    }
}
