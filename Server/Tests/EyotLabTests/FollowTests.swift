import EyotContract
import EyotLab
import EyotTestKit
import Foundation
import Testing

/// `eyot log --follow` as a process, on a real server.
@Suite("Following the log", .timeLimit(.minutes(10)))
struct FollowTests {
    private func event(_ line: String?) throws -> JSONObject? {
        try line.flatMap { try JSONValue(parsing: $0.utf8).object }
    }

    @Test func `events are printed as they happen, and Ctrl-C is no failure`() async throws {
        try await Rig.run(phones: 1) { lab in
            let description = await lab.description
            let log = Program(
                Rig.executable.path, ["log", "--follow", "--type", "activity.*,operation.*", "--json"],
                environment: ["EYOT_URL": description.http, "EYOT_API_KEY": description.apiKey])
            let code = try await log.run { running in
                var (output, errors) = (running.output.makeAsyncIterator(), running.errors.makeAsyncIterator())
                #expect(try await errors.next()?.hasPrefix("Following") == true)
                try await lab.start()
                let declared = try await event(output.next())
                #expect(declared?["type"] == "activity.declared" && declared?["activity"] == "final")
                let done = try await event(output.next())
                #expect(done?["type"] == "operation.done" && done?["counts"]?.object?["starting"] == 1)
                running.interrupt()
                #expect(try await output.next() == nil)
            }
            #expect(code == 0)
        }
    }
}
