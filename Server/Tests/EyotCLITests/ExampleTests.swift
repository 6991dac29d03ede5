import EyotContract
import EyotTestKit
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
    private func python(_ arguments: String..., in folder: String) async throws -> (code: Int32, words: String) {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let ended = try await Program(
            "python3", ["-B"] + arguments, in: Self.examples.appendingPathComponent(folder),
            environment: ["PATH": "\(Self.products.path):\(path)"]
        ).run()
        return (ended.code, ended.words)
    }

    @Test func `Somebody's backend is tested without a phone`() async throws {
        let (code, words) = try await python("-m", "unittest", "-v", in: "ci-without-a-phone")
        #expect(code == 0, "\(words)")
        #expect(words.contains("Ran 7 tests") && words.contains("mistyped_state"), "\(words)")
    }

    @Test func `The client in Python does what it says when things go wrong`() async throws {
        let (code, words) = try await python("-m", "unittest", in: "backend-python")
        #expect(code == 0 && words.contains("Ran 7 tests"), "\(words)")
    }

    @Test func `The backend in Python plays its match to the end`() async throws {
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
        let (code, words) = try await python("-c", program, in: "backend-python")
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
