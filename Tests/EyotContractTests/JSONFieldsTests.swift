import EyotContract
import Testing

@Suite("Reading fields")
struct JSONFieldsTests {
    private let body: JSONValue = [
        "title": "a", "count": 3, "score": 2.5, "on": true, "list": ["x", "y"], "nested": ["deep": 1, "odd": 2],
        "nothing": nil,
    ]

    @Test func `takes each kind under its name`() throws {
        var fields = try JSONFields(body)
        #expect(try fields.string("title") == "a")
        #expect(try fields.integer("count") == 3)
        #expect(try fields.double("score") == 2.5)
        #expect(try fields.double("count") == 3)
        #expect(try fields.bool("on") == true)
        #expect(try fields.strings("list") == ["x", "y"])
        #expect(try fields.array("list") == ["x", "y"])
        #expect(try fields.object("nested")?.text == #"{"deep":1,"odd":2}"#)
    }

    @Test func `null counts as absent, and is still known to be there`() throws {
        var fields = try JSONFields(body)
        #expect(try fields.string("nothing") == nil)
        #expect(try fields.string("missing") == nil)
        #expect(fields.has("nothing"))
        #expect(!fields.has("missing"))
        #expect(throws: JSONFieldError(path: "nothing", .missing)) {
            try fields.required("nothing", fields.string("nothing"))
        }
    }

    @Test func `a wrong kind names field, expectation and what was found`() throws {
        var fields = try JSONFields(body, at: "changes[3]")
        let error = #expect(throws: JSONFieldError.self) { try fields.integer("title") }
        #expect(error?.description == "changes[3].title must be a whole number, not a string")
        #expect(
            throws: JSONFieldError(path: "changes[3].score", .mistyped(expected: "a whole number", found: "a number"))
        ) { try fields.integer("score") }
        #expect(throws: JSONFieldError(path: "changes[3].count", .mistyped(expected: "a string", found: "a number"))) {
            try fields.string("count")
        }
        #expect(throws: JSONFieldError(path: "changes[3].title", .mistyped(expected: "an object", found: "a string"))) {
            try fields.fields("title")
        }
    }

    @Test func `an element of the wrong kind is named by its index`() throws {
        var fields = try JSONFields(["list": ["x", 1]])
        #expect(throws: JSONFieldError(path: "list[1]", .mistyped(expected: "a string", found: "a number"))) {
            try fields.strings("list")
        }
    }

    @Test func `a body that is no object is refused as a whole`() {
        let error = #expect(throws: JSONFieldError.self) { try JSONFields([1]) }
        #expect(error?.description == "the body must be an object, not an array")
    }

    @Test func `members that nobody asked for are refused at the end, nested ones with their path`() throws {
        var fields = try JSONFields(["known": 1, "nested": ["deep": 1, "odd": 2]])
        _ = try fields.integer("known")
        var nested = try #require(try fields.fields("nested"))
        _ = try nested.integer("deep")
        try fields.finish()
        let error = #expect(throws: JSONFieldError(path: "nested.odd", .unknown)) { try nested.finish() }
        #expect(error?.description == "nested.odd is not a field of this call")
    }

    @Test(
        "an identifier has 1 to 256 bytes and no NUL",
        arguments: [
            ("a", true), (String(repeating: "a", count: 256), true), (String(repeating: "a", count: 257), false),
            (String(repeating: "é", count: 128), true), (String(repeating: "é", count: 129), false), ("", false),
            ("a\u{0}b", false),
        ])
    func identifier(text: String, taken: Bool) throws {
        var fields = try JSONFields(["name": .string(text)])
        if taken {
            #expect(try fields.identifier("name") == text)
        } else {
            #expect(throws: JSONFieldError(path: "name", .invalid("must have 1 to 256 bytes and no NUL"))) {
                try fields.identifier("name")
            }
        }
    }
}
