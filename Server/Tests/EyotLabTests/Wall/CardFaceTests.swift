import EyotContract
import Foundation
import Testing

@testable import EyotLab

/// How a card is drawn without its widget, and what a form for its state asks.
@Suite("Faces of cards")
struct CardFaceTests {
    private func face(_ type: String, _ attributes: JSONValue, _ state: JSONValue) -> CardFace {
        CardFace(type: type, attributes: attributes, state: state)
    }

    @Test func `A score has two sides with the names that belong to its members`() {
        let match = face(
            "MatchAttributes", ["home": "Argentina", "away": "France"],
            ["homeScore": 2, "awayScore": 1, "clock": "82'"])
        #expect(match.sentence == "Argentina 2–1 France, 82'" && match.score?.left.short == "ARG")
        let netmera = face(
            "MatchScoreAttributes", ["homeTeamLogo": "f.png", "homeTeamName": "Fenerbahçe", "awayTeamName": "Ajax"],
            ["homeTeamScore": 0, "awayTeamScore": 3, "matchStatus": "HT"])
        #expect(netmera.sentence == "Fenerbahçe 0–3 Ajax, HT" && netmera.score?.right.short == "Ajax")
        let turned = face(
            "MatchAttributes", ["away": "France", "home": "Argentina"], ["awayScore": 1, "homeScore": 2])
        #expect(turned.sentence == "Argentina 2–1 France")
        let braze = face("SportsActivityAttributes", ["gameName": "x"], ["teamOneScore": 1, "teamTwoScore": 1])
        #expect(braze.sentence == "team one 1–1 team two")
    }

    @Test func `A state without a score is a heading and its members`() {
        let order = face("OrderActivityAttributes", ["orderId": "1"], ["minutesLeft": 7, "status": "On its way"])
        #expect(order.score == nil && order.title == "Order")
        #expect(order.sentence == "Order, minutes left 7, On its way")
        let queue = face(
            "WaitTimeDemoAttributes", ["waitlistName": "Doctor"], ["progress": 0.4, "currentPositionInQueue": 3])
        #expect(queue.title == "Doctor" && queue.progress == 0.4)
        #expect(queue.lines == [.init(label: "current position in queue", value: "3")])
    }

    @Test func `Numbers keep their literals, and absent members are not drawn`() {
        let face = face("Fare", [:], ["price": .number("2.50"), "note": .null, "paid": true])
        #expect(face.sentence == "Fare, price 2.50, paid yes")
    }

    @Test func `Hostile texts are cut and have no control characters`() {
        let long = String(repeating: "a\u{301}\u{302}\u{303}\u{304}", count: 500)
        let face = face("T", ["name": .string(long)], ["text": "a\u{0}\u{1B}[31m\nb", "list": .array([1, 2])])
        #expect(face.title.unicodeScalars.count <= 3 * Words.limit + 1)
        #expect(face.lines.first?.value == "a\u{FFFD}\u{FFFD}[31m\u{FFFD}b")
        #expect(face.lines.last?.value == "[1,2]")
        #expect(Words.clipped(String(repeating: "x", count: 61)).count == 60)
        #expect(Words.clipped(String(repeating: "x", count: 60)).hasSuffix("x"))
    }

    @Test func `Phones with one state share one face, and unused faces go`() {
        var faces = CardFaces()
        let content = { (number: Int) in CardFaces.Content(type: "T", attributes: [:], state: ["n": .integer(number)]) }
        #expect(faces.entry(of: content(1)).id == faces.entry(of: content(1)).id)
        #expect(faces.takeNew().count == 1 && faces.takeNew().isEmpty)
        for number in 2...CardFaces.limit + 1 { _ = faces.entry(of: content(number)) }
        faces.tidy()
        #expect(faces.all.count == CardFaces.limit + 1, "all were in use")
        _ = faces.entry(of: content(5))
        faces.tidy()
        #expect(faces.all.count == 1)
    }

    @Test func `The same state in another order of its members has the same face`() {
        var faces = CardFaces()
        let first = faces.entry(of: .init(type: "T", attributes: ["a": 1, "b": 2], state: ["x": "1", "y": "2"]))
        let turned = faces.entry(of: .init(type: "T", attributes: ["b": 2, "a": 1], state: ["y": "2", "x": "1"]))
        #expect(first == turned && faces.all.count == 1)
        #expect(faces.entry(of: .init(type: "T", attributes: [:], state: ["x": "1"])).id != first.id)
    }

    // MARK: Forms

    @Test func `A form has a field for each leaf, by its kind`() throws {
        let shape = JSONShape.object(
            ObjectShape([
                .init("score", .number(.int)), .init("share", .optional(.number(.double)), isRequired: false),
                .init("team", .object(ObjectShape([.init("name", .text(.string)), .init("won", .bool)]))),
                .init("phase", .cases(["first", "second"], of: nil)), .init("goals", .array(.number(.int))),
                .init("loop", .reference("Loop"), isRequired: false),
            ]))
        let loop = JSONShape.object(ObjectShape([.init("next", .optional(.reference("Loop")), isRequired: false)]))
        let fields = StateForm(shape, types: ["Loop": loop]).fields
        #expect(
            fields.prefix(6).map(\.path) == [
                ["score"], ["share"], ["team", "name"], ["team", "won"], ["phase"], ["goals"],
            ])
        #expect(fields.prefix(6).map(\.kind) == [.integer, .number, .text, .bool, .choice, .json])
        #expect(fields.prefix(6).map(\.isRequired) == [true, false, true, true, true, true])
        #expect(fields[4].options == ["first", "second"])
        #expect(fields.count == 7, "a shape that leads to itself ends")
    }

    @Test func `Each built-in type has a form`() throws {
        for type in LabType.builtIn {
            let schema = try #require(type.schema)
            #expect(!StateForm(schema.contentState, types: schema.types).fields.isEmpty, "\(type.name)")
        }
    }

    // MARK: The next state

    @Test func `A goal is scored by the side that is behind, or by the one that is named`() throws {
        let state: JSONValue = ["homeScore": 1, "awayScore": 0, "clock": "88'"]
        let next = try #require(NextState(after: state, hasLastEvent: true))
        #expect(next.state == ["homeScore": 1, "awayScore": 1, "clock": "90'", "lastEvent": "Goal!"])
        #expect(next.title == "Goal!" && next.detail == "1–1")
        #expect(NextState(after: state, side: .left)?.state.object?["homeScore"] == 2)
        #expect(NextState(after: state)?.state.object?["lastEvent"] == nil)
    }

    @Test func `Other states count on`() {
        #expect(NextState(after: ["progress": 0.4, "n": 1])?.state == ["progress": 0.5, "n": 1])
        #expect(NextState(after: ["progress": 1.0])?.state.object?["progress"]?.double == 0)
        #expect(NextState(after: ["status": "x", "minutesLeft": 7])?.state.object?["minutesLeft"] == 6)
        #expect(NextState(after: ["laps": 7])?.state == ["laps": 8])
        #expect(NextState(after: ["status": "x"]) == nil)
    }
}
