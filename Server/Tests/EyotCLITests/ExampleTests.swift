import EyotContract
import Foundation
import Testing

@testable import eyot

/// The examples in other languages are run as their pages say, with the program of this build in the path.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `The examples` {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardizedFileURL
    private static let examples = root.appendingPathComponent("Examples")
    /// The folder of the executable beside the one that runs the tests.
    private static let products = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent()

    /// Runs Python in an example's folder.
    ///
    /// - Returns: its exit code, and all that it has said.
    private func python(_ arguments: String..., in folder: String) throws -> (code: Int32, words: String) {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", "-B"] + arguments
        process.currentDirectoryURL = Self.examples.appendingPathComponent(folder)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["PATH": "\(Self.products.path):\(path)"], uniquingKeysWith: { $1 })
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let words = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, words)
    }

    @Test func `Somebody's backend is tested without a phone`() throws {
        let (code, words) = try python("-m", "unittest", "-v", in: "ci-without-a-phone")
        #expect(code == 0, "\(words)")
        #expect(words.contains("Ran 7 tests") && words.contains("mistyped_state"), "\(words)")
    }

    @Test func `The client in Python does what it says when things go wrong`() throws {
        let (code, words) = try python("-m", "unittest", in: "backend-python")
        #expect(code == 0 && words.contains("Ran 7 tests"), "\(words)")
    }

    @Test func `The backend in Python plays its match to the end`() throws {
        // Ubuntu 22.04 has Python 3.10, which knows all but NotRequired.
        let program = """
            import sys, typing
            typing.NotRequired = getattr(typing, "NotRequired", typing.Optional)
            sys.path.insert(0, "../ci-without-a-phone")
            from lab import Lab
            from eyot_client import Eyot
            import play_match
            with Lab() as lab:
                phone = lab.phone("anna", tags=["fans"])
                play_match.play(Eyot(lab.url, lab.api_key), "final", 0.05)
                phone.assert_card_is("ended")
                phone.assert_shows(homeScore=3, awayScore=3, lastEvent="4:2 on penalties")
                assert phone.ignored() == [], phone.story()
            """
        let (code, words) = try python("-c", program, in: "backend-python")
        #expect(code == 0 && words.contains("starting on 1 phones"), "\(words)")
    }

    @Test func `The types of the backend in Python are those of the app`() throws {
        let schema = "Examples/ios-app/Shared/MatchAttributes.schema.json"
        let source = SchemaSource(
            file: schema, schema: try ActivitySchema(file: Self.root.appendingPathComponent(schema).path))
        let written = try String(
            contentsOf: Self.examples.appendingPathComponent("backend-python/live_activities.py"), encoding: .utf8)
        let command = "eyot schema types --language python \(schema)"
        #expect(try TypeLanguage.python.text(of: [source]) + "\n" == written, "make it anew: \(command)")
    }
}
