import EyotContract
import Testing

@Suite("A JSON value")
struct JSONValueTests {
    @Test(
        "is an integer where its number is one and fits",
        arguments: [
            ("0", 0), ("-0", 0), ("3.0", 3), ("3e0", 3), ("30e-1", 3), ("9223372036854775807", .max),
            ("-9223372036854775808", .min), ("9223372036854775808", nil), ("1e400", nil), ("2.5", nil), ("1e-400", 0),
        ] as [(String, Int?)])
    func integer(literal: String, expected: Int?) {
        #expect(JSONValue.number(literal).integer == expected)
    }

    @Test func `has a double only where that is finite`() {
        #expect(JSONValue.number("2.50").double == 2.5)
        #expect(JSONValue.number("1e400").double == nil)
        #expect(JSONValue.string("1").double == nil)
    }

    @Test func `is made of a finite number only`() {
        #expect(JSONValue.finite(0.5)?.text == "0.5")
        #expect(JSONValue.finite(1e-7)?.double == 1e-7)
        #expect(JSONValue.finite(.infinity) == nil)
        #expect(JSONValue.finite(.nan) == nil)
    }

    @Test func `answers only the kind that it is`() {
        let values: [JSONValue] = [nil, true, 1, "a", [], [:]]
        #expect(values.map(\.kind) == ["null", "a boolean", "a number", "a string", "an array", "an object"])
        #expect(values.map { $0.bool != nil } == [false, true, false, false, false, false])
        #expect(values.map { $0.integer != nil } == [false, false, true, false, false, false])
        #expect(values.map { $0.string != nil } == [false, false, false, true, false, false])
        #expect(values.map { $0.array != nil } == [false, false, false, false, true, false])
        #expect(values.map { $0.object != nil } == [false, false, false, false, false, true])
    }

    @Test func `an object keeps places, replaces in place and removes by nil`() {
        var object = JSONObject([("b", 1), ("a", 2), ("b", 3)])
        #expect(JSONValue.object(object).text == #"{"b":3,"a":2}"#)
        object["c"] = 4
        object["b"] = nil
        object["missing"] = nil
        #expect(object.members.map(\.name) == ["a", "c"])
        #expect(object["b"] == nil)
    }

    @Test func `literals make the values they look like`() {
        let value: JSONValue = ["text": "a", "list": [1, 2.5, true, nil], "none": [:]]
        #expect(value.text == #"{"text":"a","list":[1,2.5,true,null],"none":{}}"#)
    }
}
