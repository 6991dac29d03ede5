import EyotContract
import Foundation
import Testing

/// `eyot lab --snapshot` as a process: the picture that a test leaves behind.
@Suite("The picture at the end of a lab", .timeLimit(.minutes(10)))
struct SnapshotTests {
    @Test func `the lab prints the wall's address first, and leaves a picture when it is stopped`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("eyot-wall-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let picture = folder.appendingPathComponent("wall.svg")
        let (process, output) = (Process(), Pipe())
        process.executableURL = Rig.executable
        process.arguments = ["lab", "--phones", "2", "--json", "--snapshot", picture.path]
        process.environment = ["HOME": folder.path]
        (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
        try process.run()
        defer { if process.isRunning { process.terminate() } }
        var line: [UInt8] = []
        while line.last != UInt8(ascii: "\n") {
            let bytes = output.fileHandleForReading.availableData
            try #require(!bytes.isEmpty, "the lab ended before its first line")
            line += bytes
        }
        let description = try JSONValue(parsing: line).object
        #expect(description?.members.first?.name == "wall")
        let control = try #require(description?["control"]?.string)
        #expect(description?["wall"]?.string?.hasPrefix("\(control)/phones?pass=") == true)
        #expect(!FileManager.default.fileExists(atPath: picture.path))
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let text = try String(contentsOf: picture, encoding: .utf8)
        #expect(text.hasPrefix("<svg ") && text.contains(">phone-2<") && text.contains("2 no card"))
    }
}
