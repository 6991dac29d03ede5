import EyotContract
import Testing

@Suite("The digest of a state")
struct StateDigestTests {
    private func digest(_ text: String) throws -> StateDigest {
        StateDigest(of: try JSONValue(parsing: Array(text.utf8)))
    }

    @Test(
        "is the same for one state, however it is written",
        arguments: [
            (#"{"a":1,"b":2}"#, #"{ "b": 2, "a": 1 }"#), (#"{"a":1}"#, #"{"a":1.0}"#), (#"{"a":1000}"#, #"{"a":1e3}"#),
            (#"{"a":0.1}"#, #"{"a":1e-1}"#), (#"{"a":1,"b":null}"#, #"{"a":1}"#),
            (#"{"a":{"c":"x","b":[]}}"#, #"{"a":{"b":[],"c":"\u0078"}}"#),
        ])
    func same(one: String, other: String) throws {
        #expect(try digest(one) == digest(other))
    }

    @Test(
        "differs where the states do",
        arguments: [
            (#"{"a":1}"#, #"{"a":2}"#), (#"{"a":1}"#, #"{"a":"1"}"#), (#"{"a":[1,2]}"#, #"{"a":[2,1]}"#),
            (#"{"a":[]}"#, #"{"a":{}}"#), (#"{"a":["b","c"]}"#, #"{"a":["bc"]}"#), (#"{"a":true}"#, #"{"a":false}"#),
            (#"{"a":[null]}"#, #"{"a":[]}"#), (#"{"a":9007199254740993}"#, #"{"a":9007199254740992}"#),
        ])
    func different(one: String, other: String) throws {
        #expect(try digest(one) != digest(other))
    }

    @Test func `is sixteen hexadecimal digits, and nothing else is one`() throws {
        let text = try digest("{}").text
        #expect(StateDigest(text: text)?.text == text)
        for wrong in ["", "0", String(repeating: "g", count: 16), String(repeating: "A", count: 16), text + "0"] {
            #expect(StateDigest(text: wrong) == nil)
        }
    }
}
