import EyotContract
import EyotTestKit
import Foundation
import Testing

@testable import eyot

/// The folder with schemas and what is made of them.
private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Schemas")

@Suite struct `Types for a backend` {
    private func source(_ name: String) throws -> SchemaSource {
        let path = folder.appendingPathComponent("\(name).schema.json").path
        return SchemaSource(file: "\(name).schema.json", schema: try ActivitySchema(file: path))
    }

    private func source(_ file: String, _ json: String) throws -> SchemaSource {
        SchemaSource(file: file, schema: try ActivitySchema(json: JSONValue(parsing: json)))
    }

    /// One schema has every shape, the other has names that no schema should have. `WRITE_GOLDEN=1` writes the files
    /// anew.
    @Test(arguments: ["Everything", "Odd"], TypeLanguage.allCases)
    func `are what they were`(name: String, language: TypeLanguage) throws {
        let endings: [TypeLanguage: String] = [.typescript: "ts", .python: "py", .kotlin: "kt"]
        let file = folder.appendingPathComponent("\(name).\(try #require(endings[language]))")
        let text = try language.text(of: [source(name)]) + "\n"
        if ProcessInfo.processInfo.environment["WRITE_GOLDEN"] == "1" { try Data(text.utf8).write(to: file) }
        #expect(try String(contentsOf: file, encoding: .utf8) == text)
    }

    // MARK: Python itself

    /// What a program says of the module that is made of a schema.
    private func python(_ source: SchemaSource, _ program: String) async throws -> JSONValue {
        let module = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString, isDirectory: true)
        try FileManager.default.createDirectory(at: module, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: module) }
        let text = try TypeLanguage.python.text(of: [source]) + "\n"
        try Data(text.utf8).write(to: module.appendingPathComponent("module.py"))
        // Ubuntu 22.04 has 3.10, which knows all but this; what it means there makes no difference to names.
        let older = "import typing\ntyping.NotRequired = getattr(typing, 'NotRequired', typing.Optional)\n"
        let ended = try await Program(
            "python3", ["-B", "-c", older + "import json, module\n" + program], in: module
        ).run()
        #expect(ended.code == 0, "\(ended.errors)\n\(text)")
        let said = Array(ended.output.utf8)
        return said.isEmpty ? .null : try JSONValue(parsing: said)
    }

    /// Every type of the module is looked up with all that it is made of, and its members' names are told.
    private static let dictionaries = """
        types = {k: t for k, t in vars(module).items() if typing.is_typeddict(t)}
        print(json.dumps({k: list(typing.get_type_hints(t)) for k, t in types.items()}))
        """

    @Test(arguments: ["Everything", "Odd"])
    func `are imported by Python, and all of their names are there`(name: String) async throws {
        let source = try source(name)
        let found = try await python(source, Self.dictionaries)
        let state = try #require(source.schema.contentState.members)
        let type = Identifier.ofType(source.schema.type + "ContentState", [])
        #expect(found.object?[type]?.array?.compactMap(\.string) == state)
    }

    @Test func `have the cases in Python that the schema has, whatever is in them`() async throws {
        let source = try source("Odd")
        let found = try await python(
            source, "print(json.dumps([list(typing.get_args(t)) for k, t in vars(module).items() if k == 'Phase__']))")
        guard case .cases(let cases, _)? = source.schema.types["Phase\"\n"] else {
            Issue.record("it has no cases")
            return
        }
        #expect(found == [.array(cases)])
    }

    @Test func `may have themselves inside, in each language`() async throws {
        let source = try source(
            "s.json",
            #"""
            {"title":"T","attributes":{},"contentState":{"$ref":"#/$defs/Value"},"$defs":{
              "Value":{"anyOf":[{"$ref":"#/$defs/List"},{"$ref":"#/$defs/Map"},{"type":"string"},{"type":"null"}]},
              "List":{"type":"array","items":{"anyOf":[{"$ref":"#/$defs/Value"},{"type":"boolean"}]}},
              "Map":{"type":"object","additionalProperties":{"$ref":"#/$defs/Value"}}}}
            """#)
        _ = try await python(source, "")
        #expect(
            try TypeLanguage.typescript.text(of: [source]).hasSuffix(
                """
                export type List = (Value | boolean)[];

                export type Map = { [key: string]: Value };

                export type Value = List | Map | string | null;
                """))
        let kotlin = try TypeLanguage.kotlin.text(of: [source])
        for name in ["List_", "Map_", "Value"] { #expect(kotlin.contains("typealias \(name) = JsonElement")) }
    }

    // MARK: Names

    private let score = #""$defs":{"Score":{"type":"object","properties":{"home":{"type":"integer"}}}}"#
    private let state =
        ##""attributes":{},"contentState":{"type":"object","properties":{"s":{"$ref":"#/$defs/Score"}}}"##

    @Test(arguments: TypeLanguage.allCases)
    func `that two schemas share are written once`(language: TypeLanguage) throws {
        let sources = [
            try source("a.json", #"{"title":"A",\#(state),\#(score)}"#),
            try source("b.json", #"{"title":"B",\#(state),\#(score)}"#),
        ]
        let text = try language.text(of: sources)
        #expect(text.matches(of: /(?:interface|class) Score\b/).count == 1)
        for name in ["AContentState", "BContentState"] { #expect(text.contains("\(name)")) }
        #expect(text.contains(#"From "a.json", "b.json"."#))
    }

    @Test func `of one name and two shapes are refused by name`() throws {
        let sources = [
            try source("a.json", #"{"title":"A",\#(state),\#(score)}"#),
            try source("b.json", #"{"title":"B",\#(state),\#(score.replacing("home", with: "away"))}"#),
        ]
        let error = try #require(throws: TypeNameConflict.self) { try TypeLanguage.kotlin.text(of: sources) }
        #expect(
            error.description
                == #""Score" is one type in a.json and another in b.json: rename one of them, or write their types to two files"#
        )
    }

    @Test func `whose names become one are refused with both`() throws {
        let source = try source(
            "a.json",
            #"{"title":"A","attributes":{},"contentState":{},"$defs":{"a b":{"type":"null"},"a-b":{"type":"null"}}}"#)
        let error = try #require(throws: TypeNameConflict.self) { try TypeLanguage.python.text(of: [source]) }
        #expect(error.description.hasPrefix(#""a b" in a.json and "a-b" in a.json would both be a_b"#))
    }

    @Test func `that have no name get one that nothing else has`() throws {
        let source = try source(
            "a.json",
            #"""
            {"title":"A","attributes":{"properties":{"b":{"properties":{"c":{}}},"B":{"properties":{"d":{}}}}},
             "contentState":{},"$defs":{"AB":{"type":"boolean"}}}
            """#)
        let text = try TypeLanguage.typescript.text(of: [source])
        #expect(text.contains("  b?: AB2;\n  B?: AB3;\n"), "\(text)")
    }

    @Test(arguments: TypeLanguage.allCases)
    func `are said to be made, of files whose names end no comment`(language: TypeLanguage) throws {
        let source = try source("a*/\nimport os #\u{2028}.json", #"{"title":"A","attributes":{},"contentState":{}}"#)
        let lines = try language.text(of: [source]).split(whereSeparator: \.isNewline)
        let mark = language == .python ? "#" : "//"
        #expect(lines[0].hasPrefix("\(mark) Made by `eyot schema types`. Do not edit it"))
        #expect(lines[2] == "\(mark) From \"a\\u002A/\\nimport os #\\u2028.json\".")
    }
}

extension JSONShape {
    /// The names of its members.
    fileprivate var members: [String]? {
        if case .object(let object) = self { object.members.map(\.name) } else { nil }
    }
}
