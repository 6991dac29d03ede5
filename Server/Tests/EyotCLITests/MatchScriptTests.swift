import EyotContract
import Testing

@testable import eyot

/// What a script has to be for the matches that come with the demo, and for the odd things that their files contain.
@Suite struct `A match as a script` {
    private func script(_ text: String) throws -> MatchScript { MatchScript(try MatchFile.match(text)) }

    private func match(_ json: JSONValue) throws -> Match { try Match(json: json, number: 1) }

    private func lines(_ script: MatchScript) -> [String] {
        script.steps.map { step in
            let state = step.state
            let alert = step.alert == nil ? "" : " !"
            return "\(state.clock) \(state.homeScore)-\(state.awayScore) \(state.lastEvent ?? "")\(alert)"
        }
    }

    @Test func `The final of 2022 has every goal at its minute, extra time and penalties`() throws {
        #expect(
            lines(try script("2022/Argentina-France")) == [
                "Kick-off 0-0  !", "23' 1-0 Lionel Messi (penalty) !", "36' 2-0 Ángel Di María !",
                "Half-time 2-0 Ángel Di María", "80' 2-1 Kylian Mbappé (penalty) !", "81' 2-2 Kylian Mbappé !",
                "Full time 2-2 Kylian Mbappé !", "Extra time 2-2 Kylian Mbappé", "108' 3-2 Lionel Messi !",
                "118' 3-3 Kylian Mbappé (penalty) !", "After extra time 3-3 Kylian Mbappé (penalty) !",
                "Shoot-out 3-3 Kylian Mbappé (penalty)", "Penalties 3-3 4–2 on penalties !",
                "Final 3-3 Argentina win 4–2 on penalties !",
            ])
    }

    @Test func `A match that is over after extra time has no shoot-out`() throws {
        let script = try script("2026/104")
        #expect(
            lines(script).suffix(3) == [
                "106' 1-0 Ferran Torres !", "After extra time 1-0 Ferran Torres !", "Final 1-0 Spain win !",
            ])
    }

    @Test func `Goals are played in the order of time, whatever the order in the file`() throws {
        let script = MatchScript(
            try match([
                "round": "Test", "date": "2022-01-01", "team1": "A", "team2": "B", "score": ["ft": [3, 1]],
                "goals1": [
                    ["name": "Third", "minute": 60], ["name": "First", "minute": 5],
                    ["name": "Stoppage", "minute": 45, "offset": 2],
                ],
                "goals2": [["name": "Second", "minute": "45"]],
            ]))
        #expect(
            lines(script) == [
                "Kick-off 0-0  !", "5' 1-0 First !", "45' 1-1 Second !", "45+2' 2-1 Stoppage !",
                "Half-time 2-1 Stoppage",
                "60' 3-1 Third !", "Full time 3-1 Third !", "Final 3-1 A win !",
            ])
    }

    @Test func `An own goal counts for the team under which it stands, and says what it was`() throws {
        let script = MatchScript(
            try match([
                "round": "Test", "date": "2022-01-01", "team1": "A", "team2": "B", "score": ["ft": [0, 1]],
                "goals2": [["name": "Unlucky", "minute": 9, "owngoal": true]],
            ]))
        #expect(script.steps[1].state.awayScore == 1)
        #expect(script.steps[1].alert == .init(title: "A 0–1 B", body: "9' Unlucky (own goal)"))
        #expect(lines(script).last == "Final 0-1 B win !")
    }

    @Test(
        arguments: [
            ("90+3", nil, false, "90+3'"), ("45+1", nil, true, "45+1'"), (90, 7, false, "90+7'"),
            (23, nil, false, "23'"),
            ("92", nil, false, "90+2'"), ("106", nil, true, "106'"), ("120+5", nil, true, "120+5'"),
        ] as [(JSONValue, Int?, Bool, String)])
    func `Minutes are read as the files write them`(
        minute: JSONValue, offset: Int?, hasExtraTime: Bool, text: String
    ) throws {
        let time = try #require(MatchTime(minute: minute, offset: offset, hasExtraTime: hasExtraTime))
        #expect(time.description == text)
    }

    @Test(arguments: ["", "0", "121", "90+", "90+99", "+3", "1+2+3", "x"] as [JSONValue])
    func `What is no minute is refused`(minute: JSONValue) {
        #expect(MatchTime(minute: minute, offset: nil, hasExtraTime: true) == nil)
    }

    @Test(arguments: MatchFile.years)
    func `Every match ends with the result in its file, and its steps come one after the other`(year: String) throws {
        for match in try MatchFile.matches(of: year) {
            let script = MatchScript(match)
            let final = try #require(script.steps.last)
            #expect(final.state.homeScore == match.homeGoals.count, "\(match.home)-\(match.away)")
            #expect(final.state.awayScore == match.awayGoals.count)
            #expect(final.kind == .end)
            #expect(script.steps.dropLast().dropFirst().allSatisfy { $0.kind == .update })
            #expect(script.steps.first?.kind == .start)
            #expect(zip(script.steps, script.steps.dropFirst()).allSatisfy { $0.minute <= $1.minute })
            #expect(Set(script.steps.map(\.state)).count == script.steps.count, "each step shows something new")
            #expect(script.minute85 > 85 && script.minute85 < script.length)
        }
    }

    @Test(arguments: [
        ("argentina-france", "Argentina"), ("2022/1", "Qatar"), ("2026/104", "Spain"), ("104", "Spain"),
    ])
    func `A match is found by its teams and by its number`(text: String, home: String) throws {
        #expect(try MatchFile.match(text).home == home)
    }

    @Test(arguments: ["Atlantis-France", "2022/65", "2018/1", ""])
    func `A match that is in no file is named in the error`(text: String) {
        #expect(throws: CommandFailure.self) { try MatchFile.match(text) }
    }
}
