import EyotContract
import EyotLab
import EyotTestKit
import Foundation
import Testing

/// The process of a lab while its server stands still with calls in flight.
@Suite("A server that stands still", .timeLimit(.minutes(10)))
struct StalledServerTests {
    /// Seconds for which a call waits in vain.
    private static let patience = 12.0
    /// The share of a core that the phones' process may take meanwhile. A transport that polls takes all of one.
    private static let share = 0.2

    /// The CPU time that a process has taken, in seconds.
    private func processorTime(of pid: Int32) throws -> Double {
        let text = try String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
        // The name of the program is in brackets and may have blanks.
        let fields = text.components(separatedBy: ") ").last?.split(separator: " ") ?? []
        let ticks = try #require(fields.count > 12 ? (Double(fields[11]) ?? 0) + (Double(fields[12]) ?? 0) : nil)
        return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    @Test func `costs the phones' process nothing while they wait for it`() async throws {
        let home = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        let script = #""$0" lab --phones 30 --json & echo "$!"; wait "$!""#
        let lab = Program("sh", ["-c", script, Rig.executable.path], environment: ["HOME": home.path])
        _ = try await lab.run { running in
            var lines = running.output.makeAsyncIterator()
            let pid = try #require(try await lines.next().flatMap { Int32($0) })
            let line = try #require(try await lines.next(), "the lab ended before its first line")
            let description = try #require(try JSONValue(parsing: line.utf8).object)
            let server = Int32(try #require(description["serverPID"]?.integer))
            defer {
                kill(server, SIGCONT)
                kill(pid, SIGTERM)
            }
            let url = try #require(description["http"]?.string.flatMap(URL.init(string:)))
            let control = APIClient(
                server: try #require(description["control"]?.string.flatMap(URL.init(string:))),
                key: description["controlSecret"]?.string ?? "")
            kill(server, SIGSTOP)
            // Each phone has something to say.
            for number in 1...30 {
                let answer = try await control.call(
                    "POST", "/phones/phone-\(number)/settings", body: ["frequentPushesEnabled": false])
                #expect(answer.isSuccess, "\(answer.problem)")
            }
            let (before, begun) = (try processorTime(of: pid), ContinuousClock.now)
            await #expect(throws: APIClient.Failure.self) {
                try await APIClient(server: url, key: "", timeout: Self.patience).call("GET", "/healthz")
            }
            let taken = try processorTime(of: pid) - before
            let seconds = Double((ContinuousClock.now - begun).components.seconds)
            #expect(seconds >= Self.patience - 2)
            #expect(taken < Self.share * seconds, "\(taken) s of CPU time in \(seconds) s")
        }
    }
}
