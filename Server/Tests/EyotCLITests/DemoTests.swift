import EyotContract
import EyotLab
import Foundation
import PhoneSimulator
import Testing

@testable import eyot

@Suite struct `The cast of a demo` {
    @Test(arguments: [1, 2, 10, 33, 100, 200, 1_000])
    func `Seventy of a hundred are started remotely, ten come late, and at most ten are excluded`(phones: Int) {
        let cast = DemoCast(phones: phones, seed: 7)
        #expect(cast.parts.count == phones)
        #expect(cast.count(.remote) == phones * 70 / 100)
        #expect(cast.count(.late) == phones * 10 / 100)
        #expect(cast.parts.count { $0.incident?.isExcluded ?? false } * 10 <= phones)
        for incident in DemoCast.Incident.allCases {
            #expect(cast.count(incident) == phones * incident.percentage / 100)
        }
    }

    @Test func `The seed decides everything`() {
        #expect(DemoCast(phones: 200, seed: 1) == DemoCast(phones: 200, seed: 1))
        #expect(DemoCast(phones: 200, seed: 1) != DemoCast(phones: 200, seed: 2))
    }

    @Test func `Only a started card asks whether it may go on, and only who is there early has an incident`() {
        for part in DemoCast(phones: 500, seed: 3).parts {
            if part.incident == .neverAllows { #expect(part.entrance == .remote) }
            if part.incident != nil { #expect(part.entrance != .late) }
            if part.incident != nil { #expect(0.1 <= part.begins && part.begins < part.ends && part.ends <= 0.8) }
        }
    }

    @Test func `The timeline is in the order of time and leaves nothing out`() throws {
        let script = MatchScript(try MatchFile.match(MatchFile.defaultMatch))
        let cast = DemoCast(phones: 200, seed: 2022)
        let events = DemoTimeline(script, cast).events
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.moment <= $1.moment })
        #expect(events.first?.event == .step(0))
        #expect(events.last?.event == .step(script.steps.count - 1))
        #expect(events.count { if case .step = $0.event { true } else { false } } == script.steps.count)
        let begun = cast.parts.count { $0.incident != nil && $0.incident != .neverAllows }
        #expect(events.count { if case .begins = $0.event { true } else { false } } == begun)
        let ended = cast.count(.quits) + cast.count(.offlineForAWhile)
        #expect(events.count { if case .ends = $0.event { true } else { false } } == ended)
    }
}

@Suite struct `What phones should show at the end` {
    private static let final: JSONValue = ["homeScore": 3, "awayScore": 3, "clock": "Final"]
    private static let same: JSONValue = ["clock": "Final", "awayScore": 3, "homeScore": 3]
    private static let other: JSONValue = ["homeScore": 3, "awayScore": 2, "clock": "Final"]

    private func cards(_ states: [JSONValue], ended: Bool = true) throws -> [SimulatedCard] {
        let phone = SimulatedPhone(
            PhoneConfiguration(id: "phone", bundleID: "app", types: [.anyObject(type: "T")]), clock: { Date() })
        let process = phone.launch()
        for state in states {
            let card = try process.request(CardRequest(type: "T", attributes: [:], content: CardContent(state: state)))
            if ended { process.end(card: card.id, content: nil, dismissal: .standard) }
        }
        return phone.state.cards
    }

    @Test func `An ended card with the last state is right, whatever the order of its members`() throws {
        #expect(DemoCheck.difference(try cards([Self.same]), .init(entrance: .remote), Self.final) == nil)
    }

    @Test func `Another state, no card, two cards and a card that goes on are differences`() throws {
        let part = DemoCast.Part(entrance: .remote, incident: .rotates)
        #expect(DemoCheck.difference(try cards([Self.other]), part, Self.final)?.contains("instead of") == true)
        #expect(DemoCheck.difference([], part, Self.final) == "shows 0 cards instead of 1")
        #expect(
            DemoCheck.difference(try cards([Self.final, Self.final]), part, Self.final) == "shows 2 cards instead of 1")
        #expect(
            DemoCheck.difference(try cards([Self.final], ended: false), part, Self.final)
                == "shows the card as active instead of ended")
    }

    @Test func `Who dismissed it must not have it again; who never allowed it or is offline may show anything`() throws
    {
        let shown = try cards([Self.other])
        for incident in [DemoCast.Incident.neverAllows, .offlineAtEnd] {
            #expect(DemoCheck.difference(shown, .init(entrance: .remote, incident: incident), Self.final) == nil)
        }
        let dismissed = DemoCast.Part(entrance: .remote, incident: .dismisses)
        #expect(DemoCheck.difference(shown, dismissed, Self.final) != nil)
        #expect(DemoCheck.difference([], dismissed, Self.final) == nil)
    }

    @Test func `An age lasts until a phone shows the state or a later one, and begins when the phone is there`() {
        let start = Date(timeIntervalSince1970: 0)
        let accepted = [0.0, 5, 6, 20].map { start + $0 }
        let shown = [(0, 1.0), (2, 6.5)].map { DemoMeasurement.Shown(step: $0.0, time: start + $0.1) }
        // The last state is never shown and has no age.
        #expect(DemoMeasurement.ages(shown: shown, accepted: accepted, since: start) == [1, 1.5, 0.5])
        let latecomer = [DemoMeasurement.Shown(step: 2, time: start + 8), .init(step: 3, time: start + 21)]
        #expect(DemoMeasurement.ages(shown: latecomer, accepted: accepted, since: start + 7.5) == [0.5, 1])
        #expect(DemoMeasurement.ages(shown: [], accepted: accepted, since: start) == [])
    }

    @Test func `Quantiles are taken from what is there`() {
        #expect(DemoMeasurement.quantile(0.5, of: [1, 2, 3]) == 2)
        #expect(DemoMeasurement.quantile(1, of: [1, 2, 3]) == 3)
        #expect(DemoMeasurement.quantile(0.99, of: []) == nil)
    }
}

@Suite struct `The scoreboard of a demo` {
    private func board(_ counts: [DemoBoard.Standing: Int]) throws -> DemoBoard {
        let step = try #require(MatchScript(try MatchFile.match(MatchFile.defaultMatch)).steps.first)
        var board = DemoBoard(home: "ARG", away: "FRA", step: step, phones: [])
        #expect(board.counts.isEmpty)
        board.counts = counts
        return board
    }

    @Test func `It has the score, a bar of one width, and a count for each reason`() throws {
        let lines = try board([.shows: 90, .behind: 5, .offline: 3, .dismissed: 2]).lines(
            on: Terminal(isTerminal: true, environment: ["NO_COLOR": "1"]))
        #expect(lines[0].contains("ARG 0–0 FRA"))
        #expect(lines[1].count == 60 && lines[1].count { $0 == "█" } == 54)
        #expect(lines[2] == "90 show it, 5 behind, 3 offline, 2 dismissed")
    }

    @Test func `No phone is no board that breaks`() throws {
        #expect(try board([:]).lines(on: Terminal(isTerminal: true, width: 20)).map(\.count) != [])
    }

    @Test func `A phone without a card is without one, or offline`() {
        let phone = SimulatedPhone(
            PhoneConfiguration(id: "phone", bundleID: "app", types: [.anyObject(type: "T")]), clock: { Date() })
        #expect(DemoBoard.Standing(of: phone.state, state: [:]) == .hasNoCard)
        phone.goOffline()
        #expect(DemoBoard.Standing(of: phone.state, state: [:]) == .offline)
    }
}
