import EyotContract
import EyotTestKit
import Foundation
import Testing

/// `eyot lab --snapshot` as a process: the picture that a test leaves behind.
@Suite("The picture at the end of a lab", .timeLimit(.minutes(10)))
struct SnapshotTests {
    @Test func `the lab prints the wall's address first, and leaves a picture when it is stopped`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("eyot-wall-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let picture = folder.appendingPathComponent("wall.svg")
        let lab = Program(
            Rig.executable.path, ["lab", "--phones", "2", "--json", "--snapshot", picture.path],
            environment: ["HOME": folder.path])
        let code = try await lab.run { running in
            var lines = running.output.makeAsyncIterator()
            let line = try #require(try await lines.next(), "the lab ended before its first line")
            let description = try JSONValue(parsing: line.utf8).object
            #expect(description?.members.first?.name == "wall")
            let control = try #require(description?["control"]?.string)
            #expect(description?["wall"]?.string?.hasPrefix("\(control)/phones?pass=") == true)
            #expect(!FileManager.default.fileExists(atPath: picture.path))
        }
        #expect(code == 0)
        let text = try String(contentsOf: picture, encoding: .utf8)
        #expect(text.hasPrefix("<svg ") && text.contains(">phone-2<") && text.contains("2 no card"))
    }
}
