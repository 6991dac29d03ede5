import EyotCommands
import EyotContract
import Testing

@testable import eyot

@Suite struct `Files of tokens` {
    private func lines(_ text: String, _ name: String) throws -> [String] {
        let format = try #require(TokenFormat(argument: name))
        return try format.lines(of: TokenFile(Array(text.utf8))).map { "\($0.number) \($0.json.text)" }
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
        #expect(throws: CommandFailure.self) { try lines("{}", "braze") }
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

    @Test func `What a line does not say is said for all of them`() throws {
        let line = try #require(try TokenFile(Array(#"{"installation":"A","type":"T"}"#.utf8)).values().first)
        let completed = line.completed(by: [("type", "Other"), ("environment", "sandbox")])
        #expect(completed.json.text == #"{"installation":"A","type":"T","environment":"sandbox"}"#)
    }
}
