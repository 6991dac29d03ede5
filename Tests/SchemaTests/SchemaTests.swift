import EyotContract
import EyotKit
import EyotKitTesting
import Foundation
import Testing

@Suite struct `The schema of a Live Activity type` {
    struct Attributes: ActivityAttributes {
        var match: String
        var venue: Venue?

        struct Venue: Codable {
            var name: String
            var seats: UInt32?
        }

        struct ContentState: Codable, Hashable {
            var score: Score
            var phase: Phase
            var kickOff: Date
            var marks: [String: Int]
        }
    }

    @Test func `is JSON Schema, which other tools read`() throws {
        let schema = try ActivitySchema(of: Attributes.self)
        #expect(
            schema.json.indentedText == """
                {
                  "$schema": "https://json-schema.org/draft/2020-12/schema",
                  "title": "Attributes",
                  "attributes": {
                    "type": "object",
                    "properties": {
                      "match": {"type":"string"},
                      "venue": {
                        "anyOf": [
                          {"$ref":"#/$defs/Venue"},
                          {"type":"null"}
                        ]
                      }
                    },
                    "required": ["match"]
                  },
                  "contentState": {
                    "type": "object",
                    "properties": {
                      "score": {"$ref":"#/$defs/Score"},
                      "phase": {"$ref":"#/$defs/Phase"},
                      "kickOff": {"type":"number","swift":"Date"},
                      "marks": {
                        "type": "object",
                        "additionalProperties": {"type":"integer"}
                      }
                    },
                    "required": ["score","phase","kickOff","marks"]
                  },
                  "$defs": {
                    "Phase": {
                      "type": "string",
                      "enum": ["first","second","full-time"]
                    },
                    "Score": {
                      "type": "object",
                      "properties": {
                        "home": {"type":"integer"},
                        "away": {"type":"integer"}
                      },
                      "required": ["home","away"]
                    },
                    "Venue": {
                      "type": "object",
                      "properties": {
                        "name": {"type":"string"},
                        "seats": {
                          "type": ["integer","null"],
                          "minimum": 0,
                          "maximum": 4294967295,
                          "swift": "UInt32"
                        }
                      },
                      "required": ["name"]
                    }
                  }
                }
                """)
    }

    @Test(arguments: Specimen.all) func `is read back from its file`(_ specimen: Specimen) throws {
        let (shape, types) = try specimen.shape
        let schema = ActivitySchema(type: "T", attributes: .any, contentState: shape, types: types)
        let read = try ActivitySchema(json: JSONValue(parsing: schema.json.indentedText))
        #expect(read == schema)
    }

    @Test(
        arguments: [
            (#"{"score":{"home":2.5,"away":0}}"#, "content-state.score.home: 2.5 does not decode as Int"),
            (#"{"score":{"home":1}}"#, "content-state.score.away: is missing"),
            (#"{"score":{"home":1,"away":null}}"#, "content-state.score.away: expected a number (Int), not null"),
            (
                #"{"score":{"home":1,"away":0},"phase":"third"}"#,
                #"content-state.phase: "third" is none of "first", "second", "full-time""#
            ),
            (
                #"{"score":{"home":1,"away":0},"phase":"first","kickOff":"2022-12-18T15:00:00Z"}"#,
                "content-state.kickOff: expected a number (Date), not a string"
            ),
            (
                #"{"score":{"home":1,"away":0},"phase":"first","kickOff":0,"marks":{"a":"b"}}"#,
                "content-state.marks.a: expected a number (Int), not a string"
            ),
            (#"[]"#, "content-state: expected an object, not an array"),
        ]) func `says where a state does not fit, and why`(_ state: String, _ expected: String) throws
    {
        let schema = try ActivitySchema(of: Attributes.self)
        let mismatch = schema.mismatch(ofContentState: try JSONValue(parsing: state))
        #expect(mismatch?.description == expected)
    }

    @Test func `names the type of which it needs to know more, and what`() {
        let values = #expect(throws: ShapeProblem.self) { try Specimen(Holder<Event>.self).shape }
        #expect(
            values?.description == "Event: it is an enum whose cases carry values: give an example of each case")
        let cases = #expect(throws: ShapeProblem.self) { try Specimen(Holder<Unlisted>.self).shape }
        #expect(
            cases?.description
                == "Unlisted: it decodes from certain values only: make it CaseIterable, give an example of "
                + "each case, or say its shape (JSONShapeDescribing)")
    }

    @Test func `of types with one name the second has a number`() throws {
        struct Phase: Codable { var name: String }
        let (_, types) = try Specimen(Both<SchemaTests.Phase, Phase>.self).shape
        #expect(types.keys.sorted() == ["Phase", "Phase2"])
    }

    @Test(
        arguments: [
            (#"{"title":"T","attributes":{},"contentState":{"type":"objct"}}"#, "contentState.type"),
            (#"{"title":"T","attributes":{},"contentState":{"pattern":"a"}}"#, "contentState.pattern"),
            (##"{"title":"T","attributes":{},"contentState":{"$ref":"#/$defs/A"}}"##, "$defs.A"),
            (##"{"title":"T","attributes":{},"contentState":{},"$defs":{"A":{"$ref":"#/$defs/A"}}}"##, "$defs.A"),
            (
                ##"{"title":"T","attributes":{},"contentState":{},"$defs":{"A":{"anyOf":[{"$ref":"#/$defs/B"}]},"B":{"$ref":"#/$defs/A"}}}"##,
                "$defs.A"
            ),
            (#"{"attributes":{},"contentState":{}}"#, "title"),
        ]) func `refuses what it does not understand, by name`(_ text: String, _ path: String)
    {
        let error = #expect(throws: JSONFieldError.self) { try ActivitySchema(json: JSONValue(parsing: text)) }
        #expect(error?.path == path)
    }

    @Test func `is not held against a value for ever`() throws {
        // Each level has two ways to be wrong.
        let schema = try ActivitySchema(
            json: JSONValue(
                parsing: ##"{"title":"T","attributes":{},"contentState":{"$ref":"#/$defs/A"},"$defs":{"A":{"anyOf":["##
                    + ##"{"type":"array","items":{"$ref":"#/$defs/A"}},{"type":"array","items":{"$ref":"#/$defs/A"}}]}}}"##
            ))
        let deep = String(repeating: "[", count: 60) + "1" + String(repeating: "]", count: 60)
        #expect(schema.mismatch(ofContentState: try JSONValue(parsing: deep)) != nil)
    }
}

@Suite struct `Two versions of a schema` {
    private func schema(_ state: String, _ types: String = "{}") throws -> ActivitySchema {
        try ActivitySchema(
            json: JSONValue(parsing: #"{"title":"T","attributes":{},"contentState":\#(state),"$defs":\#(types)}"#))
    }

    private func object(_ properties: String, _ required: String) -> String {
        #"{"type":"object","properties":{\#(properties)},"required":[\#(required)]}"#
    }

    @Test func `a member that is added breaks no older build, and cards that run on where it is required`() throws {
        let older = try schema(object(#""a":{"type":"integer"}"#, #""a""#))
        let newer = try schema(object(#""a":{"type":"integer"},"b":{"type":"string"}"#, #""a","b""#))
        let difference = SchemaDifference(from: older, to: newer)
        #expect(difference.onOlderBuilds.isEmpty)
        #expect(difference.onNewerBuilds.map(\.description) == ["content-state.b: is missing"])
    }

    @Test func `a member that may be missing now breaks older builds`() throws {
        let older = try schema(object(#""a":{"type":"integer"}"#, #""a""#))
        let newer = try schema(object(#""a":{"type":["integer","null"]}"#, ""))
        let difference = SchemaDifference(from: older, to: newer)
        #expect(
            difference.onOlderBuilds.map(\.description) == [
                "content-state.a: may be missing", "content-state.a: null does not decode as Int",
            ])
        #expect(difference.onNewerBuilds.isEmpty)
    }

    @Test func `a case that is added breaks older builds`() throws {
        let older = try schema(#"{"type":"string","enum":["a"]}"#)
        let newer = try schema(#"{"type":"string","enum":["a","b"]}"#)
        let difference = SchemaDifference(from: older, to: newer)
        #expect(difference.onOlderBuilds.map(\.description) == [#"content-state: may be "b", which is not known"#])
        #expect(difference.onNewerBuilds.isEmpty)
    }

    /// Where one is said to hold all that the other does, it has to.
    @Test func `what is said to fit does fit`() throws {
        let shapes = try Specimen.all.map { try $0.shape }
        var pairs = 0
        for (index, (sent, sentTypes)) in shapes.enumerated() {
            var sampler = ShapeSampler(types: sentTypes, wildness: 0, using: SystemRandomNumberGenerator())
            let documents = (0..<60).map { _ in sampler.value(near: sent) }
            let from = ActivitySchema(type: "T", attributes: .any, contentState: sent, types: sentTypes)
            for (read, readTypes) in shapes {
                let into = ActivitySchema(type: "T", attributes: .any, contentState: read, types: readTypes)
                guard SchemaDifference(from: into, to: from).onOlderBuilds.isEmpty else { continue }
                pairs += 1
                for document in documents where !document.text.contains(/e(-400|999)/) {
                    guard from.mismatch(ofContentState: document) == nil else { continue }
                    let mismatch = into.mismatch(ofContentState: document)
                    #expect(mismatch == nil, "\(Specimen.all[index].type): \(document.text)")
                }
            }
        }
        #expect(pairs >= shapes.count)
    }
}

@Suite struct `A schema's file` {
    struct Old: ActivityAttributes {
        struct ContentState: Codable, Hashable { var score: Int }
    }

    struct New: ActivityAttributes {
        struct ContentState: Codable, Hashable {
            var score: Int
            var minute: Int
        }
    }

    @Test func `is written by a test, and fails it when the type has changed`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).schema.json")
        defer { try? FileManager.default.removeItem(at: file) }
        try SchemaFile.write(Old.self, to: file)
        try SchemaFile.check(Old.self, against: file)
        let error = #expect(throws: SchemaFileError.self) { try SchemaFile.check(New.self, against: file) }
        #expect(error?.description.contains("content-state.minute: is missing") == true)
    }
}
