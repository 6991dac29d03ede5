import ActivityKitStandIn
import EyotContract
import Foundation
import Testing

@testable import EyotLab

@Suite struct `The types of the lab's app` {
    @Test(arguments: [
        (
            "MatchScoreAttributes",
            #"{"netmeraGroupId":"g","homeTeamName":"A","awayTeamName":"B","homeTeamLogo":"a","awayTeamLogo":"b"}"#, "g"
        ),
        (
            "MatchLiveScoreWidgetAttributes",
            #"{"leagueName":"L","homeTeamName":"A","awayTeamName":"B","matchStartTime":"21.40","netmeraGroupId":"g"}"#,
            "g"
        ),
        ("SportsActivityAttributes", #"{"gameID":"sports-game-123"}"#, "sports-game-123"),
        ("SportsActivityAttributes", #"{"gameName":"Superb Owl","gameNumber":"1","brazeActivityId":"b"}"#, "b"),
        ("SportsGameAttributes", #"{"gameID":"g"}"#, "g"),
        ("OrderActivityAttributes", #"{"insiderLiveActivityId":"order-42","orderId":"42"}"#, "order-42"),
        ("WaitTimeDemoAttributes", #"{"waitlistName":"W","waitlistId":"","bookingId":"b"}"#, "b"),
        ("WaitlistWidgetAttributes", #"{"waitlistName":"W","bookingId":"b","eyotActivityName":"n"}"#, "n"),
        ("MatchAttributes", #"{"eyotActivityName":"final","home":"A","away":"B"}"#, "final"),
    ])
    func `The guides' attributes decode, and give their cards a name`(type: String, text: String, name: String) throws {
        let labType = try #require(LabType.builtIn.first { $0.name == type })
        let attributes = try JSONValue(parsing: text)
        #expect(labType.check.attributes(attributes) == nil)
        #expect(labType.name(in: attributes) == name)
    }

    @Test(arguments: [
        ("MatchScoreAttributes", #"{"homeTeamScore":1,"awayTeamScore":0,"matchStatus":"2nd Half"}"#, true),
        ("MatchScoreAttributes", #"{"homeTeamScore":"1","awayTeamScore":0,"matchStatus":"2nd Half"}"#, false),
        ("SportsActivityAttributes", #"{"status":"Game starting!"}"#, true),
        ("SportsActivityAttributes", #"{"teamOneScore":2,"teamTwoScore":4}"#, true),
        ("SportsActivityAttributes", #"{"teamOneScore":2}"#, false),
        ("WaitTimeDemoAttributes", #"{"progress":0.941,"currentPositionInQueue":10}"#, true),
        ("OrderActivityAttributes", #"{"minutesLeft":30}"#, false),
    ])
    func `The guides' states decode, and others do not`(type: String, text: String, decodes: Bool) throws {
        let labType = try #require(LabType.builtIn.first { $0.name == type })
        #expect((labType.check.contentState(try JSONValue(parsing: text)) == nil) == decodes)
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

    private func schema(_ contentState: String) throws -> TypeSchema {
        try TypeSchema(JSONValue(parsing: #"{"attributes":{},"contentState":\#(contentState)}"#))
    }

    @Test(
        arguments: [
            (#"{"type":"object","required":["a"]}"#, #"{}"#, "a: is missing"),
            (#"{"properties":{"a":{"type":"integer"}}}"#, #"{"a":1.5}"#, "a must be integer, not a number"),
            (
                #"{"properties":{"a":{"type":["string","null"]}}}"#, #"{"a":1}"#,
                "a must be string or null, not a number"
            ),
            (
                #"{"properties":{"a":{"items":{"type":"string"}}}}"#, #"{"a":["x",1]}"#,
                "a[1] must be string, not a number"
            ),
            (#"{"properties":{"a":{"enum":[1,"x"]}}}"#, #"{"a":2}"#, "a is not one of the allowed values"),
            (#"{"additionalProperties":false}"#, #"{"a":2}"#, "a is not in the schema"),
            (#"{"type":"object","title":"T"}"#, #"{"a":2}"#, nil),
            (#"{"properties":{"a":{"properties":{"b":{"type":"boolean"}}}}}"#, #"{"a":{"b":true}}"#, nil),
        ] as [(String, String, String?)])
    func `A schema says what is wrong and where`(shape: String, value: String, problem: String?) throws {
        let check = try schema(shape).check(type: "T")
        #expect(check.contentState(try JSONValue(parsing: value)) == problem)
    }

    @Test(arguments: [#"{"pattern":"x"}"#, #"{"type":"float"}"#, #"{"properties":{"a":{"minimum":1}}}"#, "3"])
    func `A schema with words that are not understood is refused`(shape: String) {
        #expect(throws: JSONFieldError.self) { try schema(shape) }
    }
}
