import EyotContract
import EyotLab
import Foundation
import Testing

/// `eyot log --follow` as a process, on a real server.
@Suite("Following the log", .timeLimit(.minutes(10)))
struct FollowTests {
    /// Reads lines from a pipe.
    private struct Lines {
        let pipe = Pipe()
        private var rest: [UInt8] = []

        /// The next line; nil at the end.
        mutating func next() -> String? {
            while true {
                if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    defer { rest.removeSubrange(...end) }
                    return String(decoding: rest[..<end], as: UTF8.self)
                }
                let bytes = pipe.fileHandleForReading.availableData
                guard !bytes.isEmpty else { return nil }
                rest += bytes
            }
        }

        mutating func nextEvent() throws -> JSONObject? {
            try next().flatMap { try JSONValue(parsing: Array($0.utf8)).object }
        }
    }

    @Test func `events are printed as they happen, and Ctrl-C is no failure`() async throws {
        try await Rig.run(phones: 1) { lab in
            var (output, errors) = (Lines(), Lines())
            let process = Process()
            process.executableURL = Rig.executable
            process.arguments = ["log", "--follow", "--type", "activity.*,operation.*", "--json"]
            let description = await lab.description
            process.environment = ["EYOT_URL": description.http, "EYOT_API_KEY": description.apiKey]
            (process.standardOutput, process.standardError) = (output.pipe, errors.pipe)
            try process.run()
            defer { if process.isRunning { process.terminate() } }
            #expect(errors.next()?.hasPrefix("Following") == true)
            try await lab.start()
            let declared = try output.nextEvent()
            #expect(declared?["type"] == "activity.declared" && declared?["activity"] == "final")
            let done = try output.nextEvent()
            #expect(done?["type"] == "operation.done" && done?["counts"]?.object?["starting"] == 1)
            process.interrupt()
            process.waitUntilExit()
            #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        }
    }
}
