import EyotContract
import EyotLab
import Foundation
import PhoneSimulator
import Testing

private let kickOff = Date(timeIntervalSince1970: 1_671_375_600)

/// A card that its app starts at second 1 and that is followed; then come pushes.
private struct Script {
    var recording = Recording(
        head: RecordingHead(os: IOSVersion(18, 1), bundleID: "app.eyot.lab", types: [RecordedType("Match")]))

    init() {
        did(.launch(.foreground, activitiesEnabled: true, frequentPushesEnabled: true), at: 0)
        did(.listen(.cards(type: "Match")), at: 0)
        did(.request(number: 1, Self.request), at: 1)
        saw(.granted(request: 1, card: "A", hasToken: false), at: 1)
        saw(.card(type: "Match", card: "A"), at: 1)
        did(.listen(.phases(card: "A")), at: 1)
        saw(.phase(card: "A", "active"), at: 1)
        did(.listen(.contents(card: "A")), at: 1)
        saw(.content(card: "A", Self.score(0)), at: 1)
        did(.listen(.tokens(card: "A")), at: 1)
        saw(.token(card: "A", Self.token("a")), at: 2)
    }

    static let request = CardRequest(type: "Match", attributes: [:], content: score(0), updates: .token)
    static func score(_ score: Int) -> CardContent { CardContent(state: ["score": .integer(score)]) }
    static func token(_ name: Character) -> ShortenedToken {
        ShortenedToken(PushToken(bytes: Array(repeating: name.asciiValue ?? 0, count: 80)) ?? placeholder)
    }
    private static let placeholder = PushToken(bytes: [1]).unsafelyUnwrapped

    mutating func did(_ action: RecordedAction, at seconds: Double) { add(.did(action), seconds) }
    mutating func saw(_ fact: RecordedFact, at seconds: Double) { add(.saw(fact), seconds) }

    private mutating func add(_ content: RecordedLine.Content, _ seconds: Double) {
        recording.lines.append(
            RecordedLine(time: kickOff.addingTimeInterval(seconds), uptime: seconds, content))
    }

    /// A push to the card, stamped with a second of the match.
    mutating func push(score: Int, stamped second: Int? = nil, at seconds: Double) {
        let timestamp = Int(kickOff.timeIntervalSince1970) + (second ?? Int(seconds))
        let aps: JSONValue = [
            "timestamp": .integer(timestamp), "event": "update", "content-state": ["score": .integer(score)],
        ]
        did(.push(RecordedPush(to: .card("A"), payload: ["aps": aps])), at: seconds)
    }

    /// Closes the recording late, so that nothing may still have been on its way.
    func report(tolerance: Double = RecordingComparison.defaultTolerance) throws -> ComparisonReport {
        var script = self
        script.did(.move(.background), at: 7_000)
        return try ComparisonReport(of: Recording(reading: script.recording.bytes), tolerance: tolerance)
    }
}

extension ComparisonReport {
    fileprivate var told: [String] {
        comparison.differences.map { "\($0.what): \($0.observed ?? "-") / \($0.simulated ?? "-")" }
    }
}

@Suite struct `A recording beside the simulator` {
    @Test func `What is the same is equal, whatever ids and tokens the phone gave`() throws {
        var script = Script()
        script.push(score: 1, at: 20)
        script.saw(.content(card: "A", Script.score(1)), at: 20.7)
        let report = try script.report()
        #expect(report.told == [])
        #expect(report.isEqual && report.comparison.count(.equal) == 6)
        #expect(report.comparison.rows.last?.seconds == 0.7)
        #expect(report.trials.isEmpty)
    }

    @Test func `What the phone showed and the simulator does not differs, and the guess is found`() throws {
        var script = Script()
        script.push(score: 1, at: 20)
        script.saw(.content(card: "A", Script.score(1)), at: 20)
        script.push(score: 2, stamped: 20, at: 30)
        script.saw(.content(card: "A", Script.score(2)), at: 30)
        let report = try script.report()
        #expect(report.told == [#"content of card 1: {"score":2} / -"#])
        #expect(report.trials.map(\.rule) == ["appliesEqualTimestamp = true"])
        #expect(report.trials.first?.differences == 0)
        #expect(report.rows.last?.object?["governedBy"] == ["appliesEqualTimestamp = true"])
        #expect(report.summary.contains { $0.contains("the card shows something that is not older") })
        #expect(report.summary.contains("appliesEqualTimestamp = true alone would make everything equal"))
    }

    @Test func `What the simulator shows and the phone did not differs`() throws {
        var script = Script()
        script.push(score: 1, at: 20)
        script.push(score: 2, at: 40)
        script.saw(.content(card: "A", Script.score(2)), at: 40)
        let report = try script.report()
        #expect(report.told == [#"content of card 1: - / {"score":1}"#])
        #expect(report.rows.first { $0.object?["verdict"] == "differs" }?.object?["line"] == .null)
        #expect(report.trials.isEmpty)
        let governing = report.comparison.differences.first?.subject.rules
        #expect(governing?.contains("updateBudget") == true)
    }

    @Test func `What comes at another time differs beyond the tolerance`() throws {
        var script = Script()
        script.push(score: 1, at: 20)
        script.saw(.content(card: "A", Script.score(1)), at: 60)
        #expect(try script.report().told == [#"content of card 1: {"score":1} / {"score":1}"#])
        #expect(try script.report(tolerance: 40).told == [])
    }

    @Test func `What may still have been on its way when the recording ended is nothing to blame`() throws {
        var script = Script()
        script.push(score: 1, at: 20)
        let report = try ComparisonReport(of: Recording(reading: script.recording.bytes))
        #expect(report.told == [])
    }

    @Test func `A token that changes differs from one that is told twice`() throws {
        var script = Script()
        script.saw(.token(card: "A", Script.token("a")), at: 30)
        script.saw(.token(card: "A", Script.token("b")), at: 31)
        #expect(try script.report().told == ["token of card 1: token 1 / -", "token of card 1: token 2 / -"])
    }

    @Test func `What the simulator has no word for is not modelled, and no difference`() throws {
        var script = Script()
        script.saw(.phase(card: "A", "levitating"), at: 30)
        script.saw(.other("a new sequence"), at: 31)
        script.did(.request(number: 2, Script.request), at: 32)
        script.saw(.refused(request: 2, error: "unentitled"), at: 32)
        let report = try script.report()
        #expect(report.comparison.count(.notModelled) == 3)
        #expect(report.told.allSatisfy { $0.hasPrefix("request 2: -") || $0.hasPrefix("cards of Match: -") })
    }

    @Test func `A card that began before the recording is not modelled`() throws {
        var script = Script()
        script.saw(.there(type: "Match", cards: ["old", "A"]), at: 3)
        script.saw(.phase(card: "old", "active"), at: 3)
        let report = try script.report()
        #expect(report.told == [])
        #expect(report.comparison.count(.notModelled) == 1)
    }

    @Test(
        arguments: [
            (#"{"score":1}"#, #"{"score":1.0,"extra":true}"#, true),
            (#"{"b":[0.1],"a":1}"#, #"{"a":1,"b":[1e-1]}"#, true),
            (#"{"score":1}"#, #"{"score":1,"note":null}"#, true), (#"{"score":1}"#, #"{"score":2}"#, false),
            (#"{"score":1,"note":"x"}"#, #"{"score":1}"#, false), (#"{"a":[1]}"#, #"{"a":[1,2]}"#, false),
            (#"{"at":"1"}"#, #"{"at":1}"#, false),
        ]) func `Content is compared as the app's type has read it`(shown: String, sent: String, isEqual: Bool) throws
    {
        let aps: JSONValue = [
            "timestamp": .integer(Int(kickOff.timeIntervalSince1970) + 20), "event": "update",
            "content-state": try JSONValue(parsing: sent),
        ]
        var script = Script()
        script.did(.push(RecordedPush(to: .card("A"), payload: ["aps": aps])), at: 20)
        script.saw(.content(card: "A", CardContent(state: try JSONValue(parsing: shown))), at: 20)
        #expect(try script.report().isEqual == isEqual)
    }

    @Test func `A member that the type has, and that was sent, is missed`() throws {
        var script = Script()
        let state = JSONShape.object(
            ObjectShape([.init("score", .number(.int)), .init("note", .optional(.text(.string)), isRequired: false)]))
        script.recording.head.types = [
            RecordedType("Match", schema: ActivitySchema(type: "Match", attributes: .any, contentState: state))
        ]
        let aps: JSONValue = [
            "timestamp": .integer(Int(kickOff.timeIntervalSince1970) + 20), "event": "update",
            "content-state": ["score": 1, "note": "goal"],
        ]
        script.did(.push(RecordedPush(to: .card("A"), payload: ["aps": aps])), at: 20)
        script.saw(.content(card: "A", Script.score(1)), at: 20)
        #expect(try script.report().told.count == 1)
    }

    @Test func `Nothing that was observed is nothing to compare`() {
        let recording = Recording(head: RecordingHead(os: IOSVersion(18), bundleID: "a"))
        #expect(throws: RecordingError.self) { try ComparisonReport(of: recording) }
    }

    @Test func `Every guess is one that some observation decides, or that no app sees`() {
        let named = ObservedSubject.allCases.flatMap(\.rules)
        let known = Set(PhoneRules.switches.map(\.name))
        #expect(Set(named).subtracting(known) == [])
        #expect(known.subtracting(named) == ObservedSubject.hiddenRules)
    }
}
