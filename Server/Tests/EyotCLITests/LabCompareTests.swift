import EyotContract
import Foundation
import PhoneSimulator
import Testing

@testable import eyot

/// The command around the comparison; what is compared, and how, stands in `ComparisonTests`.
@Suite struct `Comparing a recording on the command line` {
    private let head = #"{"recording":1,"ios":"18.1","app":"org.example.cards","types":[{"name":"Match"}]}"#
    private let launch = #"{"time":"2026-11-21T18:00:00Z","uptime":0,"did":"launch","app":"foreground"}"#

    private func outcome(_ lines: [String], _ options: String...) async throws -> Main.Code {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).jsonl")
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return await Main.run(["lab", "compare", file.path] + options)
    }

    /// In the foreground the simulated phone has nothing against a card.
    private func answer(_ words: String) -> [String] {
        let request = #""request":1,"type":"Match","attributes":{},"content":{"state":{}},"updates":"local""#
        return [
            head, launch, #"{"time":"2026-11-21T18:00:01Z","uptime":1,"did":"request",\#(request)}"#,
            #"{"time":"2026-11-21T18:00:01Z","uptime":1,"saw":\#(words)}"#,
        ]
    }

    @Test func `What is equal ends with 0, in a table and as an object`() async throws {
        let lines = answer(#""granted","request":1,"card":"A","hasToken":false"#)
        #expect(try await outcome(lines) == .done)
        #expect(try await outcome(lines, "--json", "--tolerance", "0") == .done)
    }

    @Test func `What differs ends with 1`() async throws {
        #expect(try await outcome(answer(#""refused","request":1,"error":"visibility""#)) == .failed)
        #expect(try await outcome(answer(#""refused","request":1,"error":"visibility""#), "--json") == .failed)
    }

    @Test func `Another version of iOS can be asked for`() async throws {
        let lines = answer(#""refused","request":1,"error":"unsupported""#)
        #expect(try await outcome(lines) == .failed)
        #expect(try await outcome(lines, "--ios", "16.0") == .done)
    }

    @Test func `What is no recording ends with 2`() async throws {
        #expect(try await outcome(["hello"]) == .misused)
        #expect(try await outcome([head, launch]) == .misused)
        #expect(try await outcome(answer(#""nonsense""#)) == .misused)
        #expect(await Main.run(["lab", "compare", "/nowhere/recording.jsonl"]) == .misused)
    }

    @Test func `The line that is wrong is told`() throws {
        do {
            _ = try Recording(reading: Array(answer(#""nonsense""#).joined(separator: "\n").utf8))
            Issue.record("read all the same")
        } catch {
            #expect("\(error)".hasPrefix("line 4: saw is nothing"))
        }
    }

    @Test func `A flag that the lab has too reaches the comparison`() throws {
        let command = try EyotCommand.parseAsRoot(["lab", "compare", "a.jsonl", "--json"])
        #expect((command as? LabCompare)?.output.json == true)
        let lab = try EyotCommand.parseAsRoot(["lab", "--json"])
        #expect((lab as? LabCommand)?.output.json == true)
    }
}
