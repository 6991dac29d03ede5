import EyotContract
import EyotLab
import EyotTestKit
import Foundation
import Testing

/// The guide to upgrades, run as it stands on the database of 0.1.0.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `The guide to upgrades` {
    /// The blocks of the page that are shell.
    private static func blocks() throws -> [String] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../docs/guides/operate/upgrade.md").standardizedFileURL
        let page = try String(contentsOf: file, encoding: .utf8)
        return page.components(separatedBy: "\n```sh\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    @Test func `Its commands bring a database up to date, and put the backup back`() async throws {
        let blocks = try Self.blocks()
        try #require(blocks.count == 7)
        try await KeptRelease.withFolder { folder in
            try await KeptRelease.unpack(17, into: folder)
            let file = folder.appendingPathComponent("eyot.sqlite")
            let before = try Data(contentsOf: file)
            let look = try await run(blocks[0...1], in: folder)
            #expect(look.contains("schema \(KeptRelease.versions.max() ?? 0)"), "\(look)")
            #expect(try Data(contentsOf: file) == before, "a look changes nothing")
            try await run(blocks[0...0] + blocks[2...3], in: folder)
            #expect(try Data(contentsOf: file) != before)
            #expect(try Data(contentsOf: folder.appendingPathComponent("backup/eyot.sqlite")) == before)
            var configuration = Rig.configuration(phones: 0)
            configuration.folder = folder
            try await Lab.run(configuration) { lab in
                let (code, output) = try await Rig.type(blocks[4], in: folder, lab.description)
                #expect(code == 0)
                let status = try JSONValue(parsing: Array(output.utf8)).object
                #expect(status?["version"] != nil && status?["schema"] == status?["store"]?.object?["schema"])
            }
            try await run(blocks[0...0] + blocks[5...6], in: folder)
            #expect(try Data(contentsOf: file) == before)
        }
    }

    @discardableResult
    private func run(_ blocks: ArraySlice<String>, in folder: URL) async throws -> String {
        let script = "eyot() { \"\(Rig.executable.path)\" \"$@\"; }\n" + blocks.joined(separator: "\n")
        let ended = try await Program("bash", ["-euo", "pipefail", "-c", script], in: folder).run()
        try #require(ended.code == 0, "\(ended.code): \(ended.words)\n\(script)")
        return ended.output
    }
}
