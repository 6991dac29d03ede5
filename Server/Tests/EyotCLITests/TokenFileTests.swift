import EyotCommands
import EyotContract
import Testing

@testable import eyot

@Suite struct `Files of tokens` {
    private func lines(_ text: String, _ name: String) throws -> [String] {
        let format = try #require(TokenFormat(argument: name))
        return try format.lines(of: Array(text.utf8)).map { "\($0.number) \($0.refusal ?? $0.json.text)" }
    }

    @Test func `CSV has a head, quotes, and empty cells that say nothing`() throws {
        let text =
            "\u{FEFF}installation,user,type,startToken\r\nA1,\"Anna \"\"A\"\", Ltd.\",Match,0a\r\n\r\n\"A\n2\",,Match,0b\n"
        #expect(
            try lines(text, "csv") == [
                #"2 {"installation":"A1","user":"Anna \"A\", Ltd.","type":"Match","startToken":"0a"}"#,
                #"4 {"installation":"A\n2","type":"Match","startToken":"0b"}"#,
            ])
        #expect(try lines("", "csv") == [])
    }

    @Test(arguments: ["a,b\n1", "a\n\"1", "a\n1,2"]) func `What is no table is named`(text: String) {
        #expect(throws: CommandFailure.self) { try lines(text, "csv") }
    }

    @Test func `A line that is not JSON is named`() {
        #expect(throws: CommandFailure.self) { try lines("{}\n{", "ndjson") }
    }

    @Test func `Of Braze's events the last one of a token counts, and none where it was removed`() throws {
        let event = { (time: Int, token: String, change: String) in
            #"{"id":"x","time":\#(time),"external_user_id":"anna","device_id":"D1","activity_attributes_type":"Match","#
                + #""push_to_start_token":"\#(token)","ios_push_token_apns_gateway":2,"push_token_state_change_type":"\#(change)"}"#
        }
        let wanted = #"{"installation":"D1","user":"anna","type":"Match","startToken":"0b","environment":"production"}"#
        #expect(
            try lines([event(2, "0b", "update"), event(1, "0a", "add")].joined(separator: "\n"), "braze") == [
                "1 \(wanted)"
            ])
        #expect(try lines([event(1, "0a", "add"), event(2, "0a", "remove")].joined(separator: "\n"), "braze") == [])
        let snowflake = "DEVICE_ID,ACTIVITY_ID,UPDATE_TOKEN,IOS_PUSH_TOKEN_APNS_GATEWAY,TIME\nD1,final,0c,1,5\n"
        #expect(
            try lines(snowflake, "braze")
                == [#"2 {"installation":"D1","activity":"final","updateToken":"0c","environment":"sandbox"}"#])
    }

    /// An event of each connector of Currents, and a row of Snowflake's, as Braze's pages have them.
    private static func events(_ time: Int, _ person: String, _ token: String, _ change: String = "add") -> [String] {
        let token =
            #""activity_attributes_type":"Match","push_to_start_token":"\#(token)","ios_push_token_apns_gateway":2,"#
            + #""push_token_state_change_type":"\#(change)""#
        let kind = "users.behaviors.liveactivity.PushToStartTokenChange"
        let title = "Live Activity Push To Start Token Change"
        return [
            // Cloud storage
            #"{"id":"e","time":\#(time),"user_id":"b","external_user_id":"\#(person)","device_id":"D1",\#(token)}"#,
            // HTTP
            #"{"event_type":"\#(kind)","id":"e","time":\#(time),"user":{"user_id":"b","external_user_id":"\#(person)","#
                + #""device_id":"D1"},"properties":{"app_id":"a",\#(token)}}"#,
            // Amplitude, which counts milliseconds
            #"{"device_id":"D1","event_properties":{"app_id":"a",\#(token)},"event_type":"\#(title)","insert_id":"e","#
                + #""library":"Braze","time":\#(time)000,"user_id":"\#(person)"}"#,
            // Mixpanel
            #"{"event":"\#(title)","properties":{"$partner_id":"braze","device_id":"D1","distinct_id":"\#(person)","#
                + #""time":\#(time),"token":"mixpanel",\#(token)}}"#,
            // Segment
            #"{"anonymousId":"b","context":{"device":{},"traits":{}},"event":"\#(title)d","messageId":"e","properties":"#
                + #"{"app_id":"a","device_id":"D1",\#(token)},"timestamp":\#(time),"type":"track","userId":"\#(person)"}"#,
            // Snowflake, as lines
            #"{"ID":"e","TIME":"\#(time)","USER_ID":"b","EXTERNAL_USER_ID":"\#(person)","DEVICE_ID":"D1",\#(token.withCapitalNames)}"#,
        ]
    }

    @Test func `Each connector of Braze says the person, and of two tokens the newer one counts`() throws {
        let (newer, older) = (Self.events(1_700_000_002, "anna", "0b"), Self.events(1_700_000_001, "anna", "0a"))
        for (new, old) in zip(newer, older) {
            let wanted =
                #"{"installation":"D1","user":"anna","type":"Match","startToken":"0b","environment":"production"}"#
            #expect(try lines([new, old].joined(separator: "\n"), "braze") == ["1 \(wanted)"], "\(new)")
            #expect(try lines([old, new].joined(separator: "\n"), "braze") == ["2 \(wanted)"], "\(new)")
            #expect(try lines("[\(old),\(new)]", "braze") == ["2 \(wanted)"], "\(new)")
            #expect(try lines(#"{"events":[\#(new),\#(old)]}"#, "braze") == ["1 \(wanted)"], "\(new)")
        }
    }

    @Test func `A person who left takes no token from the next one on the phone`() throws {
        let wanted = #"{"installation":"D1","user":"bert","type":"Match","startToken":"0a","environment":"production"}"#
        for index in Self.events(1, "anna", "0a").indices {
            let first = Self.events(1_700_000_001, "anna", "0a")[index]
            let gone = Self.events(1_700_000_002, "anna", "0a", "removed")[index]
            let next = Self.events(1_700_000_002, "bert", "0a")[index]
            for order in [[first, gone, next], [first, next, gone], [next, gone, first]] {
                let read = try lines(order.joined(separator: "\n"), "braze")
                #expect(read.map { $0.drop { $0 != "{" } } == [wanted[...]], "\(order)")
            }
            #expect(try lines([first, gone].joined(separator: "\n"), "braze") == [])
        }
    }

    @Test func `What of Braze's files cannot be read is refused by name, and the rest is read`() throws {
        let good = Self.events(1_700_000_001, "anna", "0a")[0]
        let wanted = #"{"installation":"D1","user":"anna","type":"Match","startToken":"0a","environment":"production"}"#
        for (bad, name) in [
            (good.replacing(#","device_id":"D1""#, with: ""), "device_id"),
            (good.replacing(#""activity_attributes_type":"Match","#, with: ""), "activity_attributes_type"),
            (good.replacing(#""push_to_start_token":"0a","#, with: ""), "push_to_start_token"),
            (good.replacing("1700000001", with: #""last week""#), "time"), ("[1]", "object"),
        ] {
            let read = try lines([bad, good].joined(separator: "\n"), "braze")
            #expect(read.count == 2 && read.first?.contains(name) == true && read.last == "2 \(wanted)", "\(read)")
        }
        // Other events of the same stream hold no change of a token.
        let other = #"{"event_type":"users.messages.liveactivity.Send","user":{},"properties":{"update_token":"0a"}}"#
        #expect(try lines([other, good].joined(separator: "\n"), "braze") == ["2 \(wanted)"])
        let timeless = good.replacing(#""time":1700000001,"#, with: "")
        #expect(try lines(timeless, "braze") == ["1 \(wanted)"])
        #expect(throws: CommandFailure.self) { try lines([timeless, good].joined(separator: "\n"), "braze") }
    }

    @Test(
        "A form of files that is not read is named",
        arguments: [
            ("Obj\u{1}avro", "Avro"), ("PAR1", "Parquet"), ("PK\u{3}\u{4}", "ZIP"), ("installation;type\nA;B", ";"),
            ("Installation,type\nA,B", "installation"),
        ])
    func otherForms(_ text: String, _ name: String) throws {
        for format in ["csv", "braze"] where format == "csv" || !text.hasPrefix("I") {
            do {
                _ = try lines(text, format)
                Issue.record("\(format) reads \(text)")
            } catch let failure as CommandFailure {
                #expect("\(failure)".contains(name), "\(failure)")
            }
        }
    }

    @Test func `Of Airship's channels what was set last counts, with and without a type`() throws {
        let channel = #"""
            {"channel_id":"C1","named_user":"anna","live_activities":[
            {"type":"start_token","action":"set","token":"0a","action_ts_ms":1,"attributes_type":"Match"},
            {"type":"start_token","action":"set","token":"0b","action_ts_ms":2,"attributes_type":"Match"},
            {"action":"set","token":"0c","action_ts_ms":1,"id":"I1","name":"final"},
            {"action":"set","token":"0d","action_ts_ms":1,"id":"I2","name":"semi"},
            {"action":"remove","action_ts_ms":2,"id":"I2","name":"semi"}]}
            """#.replacing("\n", with: "")
        #expect(
            try lines(channel, "airship") == [
                #"1 {"installation":"C1","user":"anna","activity":"final","instance":"I1","updateToken":"0c"}"#,
                #"1 {"installation":"C1","user":"anna","type":"Match","startToken":"0b"}"#,
            ])
    }

    @Test func `A channel of Airship's in several lines has the newest token and the last person`() throws {
        func line(_ user: String, _ token: String, _ time: Int) -> String {
            #"{"channel_id":"C1","named_user":"\#(user)","live_activities":[{"type":"start_token","action":"set","#
                + #""token":"\#(token)","action_ts_ms":\#(time),"attributes_type":"Match"}]}"#
        }
        let text = [line("anna", "0b", 2), #"{"channel_id":"C2"}"#, line("bert", "0a", 1)].joined(separator: "\n")
        let read = try lines(text, "airship")
        #expect(read.count == 2 && read[0].hasPrefix("2 live_activities is missing"), "\(read)")
        #expect(read.last == #"3 {"installation":"C1","user":"bert","type":"Match","startToken":"0b"}"#)
    }

    @Test func `What a line does not say is said for all of them`() throws {
        let line = try #require(try TokenFile(Array(#"{"installation":"A","type":"T"}"#.utf8)).values().first)
        let completed = line.completed(by: [("type", "Other"), ("environment", "sandbox")])
        #expect(completed.json.text == #"{"installation":"A","type":"T","environment":"sandbox"}"#)
    }
}

extension String {
    /// The names of members in capitals, as Snowflake writes them.
    fileprivate var withCapitalNames: String {
        replacing(/"[a-z_]+":/) { $0.output.uppercased() }
    }
}
