import EyotContract
import EyotTestKit
import Foundation
import Testing

@testable import eyot

/// The folder with schemas and what is made of them.
private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Schemas")

@Suite struct `The command line of schemas` {
    /// The executable beside the one that runs the tests.
    private static let executable = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("eyot")

    private let schema = folder.appendingPathComponent("Match.schema.json").path
    private let newer = folder.appendingPathComponent("Match.newer.schema.json").path

    /// What a call prints and how it ends.
    private func eyot(_ arguments: String...) async throws -> (code: Int32, out: String) {
        let ended = try await Program(Self.executable.path, ["schema"] + arguments).run()
        return (ended.code, ended.words)
    }

    @Test func `What fits ends with 0 and says so`() async throws {
        let state = #"{"homeScore":2,"awayScore":1,"phase":"first"}"#
        let both = try await eyot("check", schema, "--state", state, "--attributes", #"{"match":"final"}"#)
        #expect(
            both == (
                0,
                """
                The attributes can be decoded as MatchAttributes.
                The state can be decoded as MatchAttributes.

                """
            ))
        #expect(
            try await eyot("check", schema, "--state", state, "--json")
                == (0, #"{"fits":true,"mismatches":[],"warnings":[]}"# + "\n"))
    }

    @Test func `What fits and shows another day ends with 0 and warns`() async throws {
        let timer = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
        let date = #"{"type":"object","properties":{"until":{"type":"number","swift":"Date"}}}"#
        try Data(#"{"title":"Timer","attributes":{"type":"object"},"contentState":\#(date)}"#.utf8).write(to: timer)
        defer { try? FileManager.default.removeItem(at: timer) }
        let state = #"{"until":\#(Int(Date().timeIntervalSince1970))}"#
        let said = try await eyot("check", timer.path, "--state", state)
        #expect(said.code == 0)
        #expect(
            said.out.contains("The state can be decoded as Timer.\nWarning: content-state.until is "), "\(said.out)")
        let asJSON = try JSONValue(parsing: try await eyot("check", timer.path, "--state", state, "--json").out)
        #expect(asJSON.object?["warnings"]?.array?.count == 1)
    }

    @Test func `What does not fit ends with 1, with each place and why`() async throws {
        let state = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
        try Data(#"{"homeScore":2.5,"awayScore":1,"phase":"first"}"#.utf8).write(to: state)
        defer { try? FileManager.default.removeItem(at: state) }
        let both = try await eyot("check", schema, "--attributes", "{}", "--state", "@\(state.path)")
        #expect(
            both == (
                1,
                """
                attributes.match: is missing
                content-state.homeScore: 2.5 does not decode as Int

                """
            ))
        let asJSON = try await eyot("check", schema, "--state", "@\(state.path)", "--json")
        #expect(asJSON.code == 1)
        #expect(
            try JSONValue(parsing: asJSON.out) == [
                "fits": false,
                "mismatches": [["path": "content-state.homeScore", "reason": "2.5 does not decode as Int"]],
                "warnings": [],
            ])
    }

    @Test func `A new version that older builds cannot decode ends with 1`() async throws {
        #expect(
            try await eyot("diff", schema, newer) == (
                1,
                """
                Sent for the new version, may not decode on phones with the old one:
                  content-state.phase: may be "extra-time", which is not known
                Sent for the old version, may not decode in the new one (a card runs on when its app is updated):
                  content-state.clock: is missing

                """
            ))
        let asJSON = try await eyot("diff", schema, newer, "--json")
        #expect(asJSON.code == 1)
        #expect(
            try JSONValue(parsing: asJSON.out) == [
                "onOlderBuilds": [
                    ["path": "content-state.phase", "reason": #"may be "extra-time", which is not known"#]
                ],
                "onNewerBuilds": [["path": "content-state.clock", "reason": "is missing"]],
            ])
    }

    @Test func `A version that breaks nothing ends with 0 and says so`() async throws {
        #expect(
            try await eyot("diff", schema, schema) == (
                0,
                """
                Older builds decode everything that is sent for the new version.
                The new version decodes everything that was sent for the old one.

                """
            ))
    }

    @Test func `What only the new version does not decode ends with 0`() async throws {
        let wider: JSONValue = ["title": "T", "attributes": [:], "contentState": ["type": "integer"]]
        let narrower: JSONValue = [
            "title": "T", "attributes": [:], "contentState": ["type": "integer", "swift": "Int8"],
        ]
        let files = try [wider, narrower].map { value in
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
            try Data(value.utf8).write(to: file)
            return file
        }
        defer { for file in files { try? FileManager.default.removeItem(at: file) } }
        let narrowed = try await eyot("diff", files[0].path, files[1].path)
        #expect(narrowed.code == 0)
        #expect(narrowed.out.contains("content-state: Int does not decode as Int8"), "\(narrowed.out)")
    }

    @Test func `A schema that cannot be read ends with 1 and names the file`() async throws {
        for arguments in [
            ["check", "/nowhere.json", "--state", "{}"], ["diff", schema, "/nowhere.json"],
            ["types", "--language", "python", "/nowhere.json"],
        ] { #expect(await Main.run(["schema"] + arguments) == .failed) }
        let (_, said) = try await eyot("check", "/nowhere.json", "--state", "{}")
        #expect(said.contains("/nowhere.json cannot be read"))
        let none = folder.appendingPathComponent("Everything.ts").path
        #expect(try await eyot("check", none, "--state", "{}").out.contains("Everything.ts: "))
    }

    @Test func `Calls that make no sense end with 2`() async {
        for arguments in [
            ["check", schema], ["check", "--state", "{}"], ["check", schema, "--state", "{"], ["diff", schema],
            ["types", schema], ["types", "--language", "python"], ["types", "--language", "cobol", schema],
        ] { #expect(await Main.run(["schema"] + arguments) == .misused, "\(arguments)") }
    }

    @Test func `Types are printed`() async throws {
        let (code, out) = try await eyot("types", "--language", "typescript", schema)
        #expect(code == 0)
        #expect(out.contains("export interface MatchAttributesContentState {\n"))
    }
}
