import APNSWire
import EyotContract
import Foundation
import PhoneSimulator
import Testing

@testable import EyotLab

/// What a phone with this one type makes of a pushed start: nil where a card appears, else why not.
private func refusal(of type: LabType, attributes: JSONValue, contentState: JSONValue) throws -> String? {
    let now = Date(timeIntervalSince1970: 1_671_375_600)
    let phone = SimulatedPhone(
        PhoneConfiguration(id: "phone", bundleID: "app", types: [type.check]), clock: { now })
    phone.launch()
    let payload = LiveActivityPayload(
        event: .start, contentState: contentState, attributesType: type.name, attributes: attributes,
        alert: ["title": "T", "body": "B"])
    var (body, offset) = payload.render()
    body.replaceSubrange(offset..<offset + LiveActivityPayload.timestampDigits, with: "1671375600".utf8)
    let token = try #require(phone.state.startToken)
    switch phone.receive(DeliveredPush(token: token, topic: "app.push-type.liveactivity", payload: body)) {
    case .started: return nil
    case .ignored(let reason): return reason.explanation
    case let effect: return effect.word
    }
}

@Suite struct `The types of the lab's app` {
    /// Attributes and a state for each type, as the guides have them, and the name that the card gets.
    static let examples: [(type: String, attributes: String, state: String, name: String)] = [
        (
            "MatchScoreAttributes",
            #"{"netmeraGroupId":"g","homeTeamName":"A","awayTeamName":"B","homeTeamLogo":"a","awayTeamLogo":"b"}"#,
            #"{"homeTeamScore":1,"awayTeamScore":0,"matchStatus":"2nd Half"}"#, "g"
        ),
        (
            "MatchLiveScoreWidgetAttributes",
            #"{"leagueName":"L","homeTeamName":"A","awayTeamName":"B","matchStartTime":"21.40","netmeraGroupId":"g"}"#,
            #"{"homeTeamScore":1,"awayTeamScore":0,"matchStatus":"2nd Half"}"#, "g"
        ),
        ("SportsActivityAttributes", #"{"gameID":"sports-game-123"}"#, #"{"status":"Soon"}"#, "sports-game-123"),
        (
            "SportsActivityAttributes", #"{"gameName":"Superb Owl","gameNumber":"1","brazeActivityId":"b"}"#,
            #"{"teamOneScore":2,"teamTwoScore":4}"#, "b"
        ),
        ("SportsGameAttributes", #"{"gameID":"g"}"#, #"{"status":"Soon"}"#, "g"),
        (
            "OrderActivityAttributes", #"{"insiderLiveActivityId":"order-42","orderId":"42"}"#,
            #"{"minutesLeft":30,"status":"preparing"}"#, "order-42"
        ),
        (
            "OrderActivityAttributes",
            #"{"insiderLiveActivityId":{"activityId":"order-43","insiderId":"anna","partnerName":"shop"},"orderId":"43"}"#,
            #"{"minutesLeft":30,"status":"preparing"}"#, "order-43"
        ),
        (
            "WaitTimeDemoAttributes", #"{"waitlistName":"W","waitlistId":"","bookingId":"b"}"#,
            #"{"progress":0.941,"currentPositionInQueue":10}"#, "b"
        ),
        (
            "WaitlistWidgetAttributes", #"{"waitlistName":"W","bookingId":"b","eyotActivityName":"n"}"#,
            #"{"progress":0.1,"currentPositionInQueue":8}"#, "n"
        ),
        (
            "MatchAttributes", #"{"eyotActivityName":"final","home":"A","away":"B"}"#,
            #"{"homeScore":0,"awayScore":0,"clock":"1'"}"#, "final"
        ),
    ]

    @Test(arguments: examples.indices)
    func `The guides' values decode, and give their cards a name`(index: Int) throws {
        let example = Self.examples[index]
        let type = try #require(LabType.builtIn.first { $0.name == example.type })
        let attributes = try JSONValue(parsing: example.attributes)
        let state = try JSONValue(parsing: example.state)
        #expect(try refusal(of: type, attributes: attributes, contentState: state) == nil)
        #expect(type.name(in: attributes) == example.name)
    }

    @Test(arguments: examples.indices)
    func `Without any one of the members that carry the content nothing appears`(index: Int) throws {
        let example = Self.examples[index]
        let type = try #require(LabType.builtIn.first { $0.name == example.type })
        let attributes = try JSONValue(parsing: example.attributes)
        let state = try #require(try JSONValue(parsing: example.state).object)
        for member in state.members {
            var less = state
            less[member.name] = nil
            #expect(try refusal(of: type, attributes: attributes, contentState: .object(less)) != nil, "\(member.name)")
        }
    }

    @Test func `Custom types have their own names, and the same one keeps its Swift type`() throws {
        let first = try LabType.custom("Weather", nameMember: "city")
        let second = try LabType.custom("Parcel")
        #expect([first.name, second.name] == ["Weather", "Parcel"])
        #expect(first.name(in: ["eyotActivityName": "a", "city": "b"]) == "b")
        #expect(second.name(in: ["brazeActivityId": "c", "eyotActivityName": ""]) == "c")
        #expect(CustomTypeNames.shared.number(of: "Weather") == CustomTypeNames.shared.number(of: "Weather"))
        #expect(CustomTypeNames.shared.number(of: "Weather") != CustomTypeNames.shared.number(of: "Parcel"))
    }

    @Test func `Any object survives Foundation's coders, sorted`() throws {
        let text = #"{"b":[1,-2.5,true,null,"x",{"y":18446744073709551615}],"a":{}}"#
        let object = try JSONDecoder().decode(AnyJSONObject.self, from: Data(text.utf8))
        #expect(object.value.text == #"{"a":{},"b":[1,-2.5,true,null,"x",{"y":18446744073709551615}]}"#)
        let again = try JSONDecoder().decode(AnyJSONObject.self, from: JSONEncoder().encode(object))
        #expect(again == object)
    }

    private func schema(_ contentState: String) throws -> ActivitySchema {
        try ActivitySchema(
            json: JSONValue(parsing: #"{"attributes":{},"contentState":\#(contentState)}"#), type: "Schema")
    }

    @Test(
        arguments: [
            (#"{"type":"object","required":["a"]}"#, #"{}"#, "a: is missing"),
            (#"{"properties":{"a":{"type":"integer"}}}"#, #"{"a":1.5}"#, "content-state.a: 1.5 does not decode as Int"),
            (
                #"{"properties":{"a":{"type":["string","null"]}}}"#, #"{"a":1}"#,
                "a: expected a string, not a number"
            ),
            (
                #"{"properties":{"a":{"items":{"type":"string"}}}}"#, #"{"a":["x",1]}"#,
                "a[1]: expected a string, not a number"
            ),
            (#"{"properties":{"a":{"enum":[1,"x"]}}}"#, #"{"a":2}"#, #"a: expected a string, not a number"#),
            (#"{"additionalProperties":false}"#, #"{"a":2}"#, "a: is not in the schema"),
            (#"{"type":"object","title":"T"}"#, #"{"a":2}"#, nil),
            (#"{"properties":{"a":{"properties":{"b":{"type":"boolean"}}}}}"#, #"{"a":{"b":true}}"#, nil),
        ] as [(String, String, String?)])
    func `A schema says what is wrong and where`(shape: String, value: String, problem: String?) throws {
        let type = try LabType.custom("Schema", schema: schema(shape))
        let found = try refusal(of: type, attributes: [:], contentState: JSONValue(parsing: value))
        #expect(problem.map { found?.contains($0) ?? false } ?? (found == nil), "\(found ?? "nothing")")
    }

    @Test(arguments: [#"{"pattern":"x"}"#, #"{"type":"float"}"#, #"{"properties":{"a":{"minimum":1}}}"#, "3"])
    func `A schema with words that are not understood is refused`(shape: String) {
        #expect(throws: JSONFieldError.self) { try schema(shape) }
    }
}
