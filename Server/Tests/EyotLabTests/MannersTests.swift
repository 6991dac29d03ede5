import EyotContract
import EyotLab
import EyotTestKit
import Foundation
import Testing

/// The server as a process of its own: how it starts, reads its settings again and stops.
@Suite("The manners of a server", .timeLimit(.minutes(10)))
final class MannersTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private struct Served: Sendable {
        var client: APIClient
        var pid: Int32
        var port: Int
    }

    private var config: String { folder.appendingPathComponent("eyot.yaml").path }

    private func write(_ text: String) throws {
        try ("database-url: sqlite:\(folder.path)/eyot.sqlite\nhttp-port: 0\n" + text).write(
            toFile: config, atomically: true, encoding: .utf8)
    }

    /// Runs `eyot serve` with the file of settings while `body` runs, and returns its exit code.
    private func serve(
        _ environment: [String: String] = [:],
        _ body: (Served, Program.Running) async throws -> Void
    ) async throws -> Int32 {
        let program = Program(
            Rig.executable.path, ["serve", "--json", "--config", config], environment: environment)
        return try await program.run { running in
            var lines = running.output.makeAsyncIterator()
            let line = try #require(try await lines.next())
            let members = try #require(try JSONValue(parsing: line.utf8).object)
            let url = try #require(members["http"]?.string.flatMap(URL.init(string:)))
            let pid = try #require(members["pid"]?.integer)
            try await body(
                Served(
                    client: APIClient(server: url, key: ""), pid: Int32(pid), port: try #require(url.port)), running)
        }
    }

    @Test func `SIGTERM makes it unready at once, it answers for the time of the drain, and ends with 0`() async throws
    {
        try write("drain-seconds: 10\n")
        let supervisor = try SupervisorSocket(isAbstract: true)
        let (steps, step) = AsyncStream.makeStream(of: String.self)
        let code = try await serve(["NOTIFY_SOCKET": supervisor.address]) { served, _ in
            #expect(try await served.client.call("GET", "/readyz").status == 200)
            kill(served.pid, SIGTERM)
            var ready = try await served.client.call("GET", "/readyz")
            while ready.status == 200 { ready = try await served.client.call("GET", "/readyz") }
            #expect(ready.status == 503)
            #expect(ready.body.text.contains("draining"), "\(ready.body.text)")
            #expect(try await served.client.call("GET", "/healthz").status == 200)
            let health = ["health", "--url", "http://127.0.0.1:\(served.port)"]
            #expect(try await Program(Rig.executable.path, health).run().code == 1)
            #expect(try await Program(Rig.executable.path, health + ["--live"]).run().code == 0)
            step.yield("answered")
        }
        step.finish()
        #expect(code == 0)
        #expect(await steps.reduce(into: []) { $0.append($1) } == ["answered"])
        #expect((supervisor.next(), supervisor.next(), supervisor.next()) == ("READY=1\n", "STOPPING=1\n", nil))
    }

    @Test func `SIGHUP applies what it can, names what needs a restart, and keeps what was when the file is wrong`()
        async throws
    {
        try write("log-level: notice\n")
        let code = try await serve { served, running in
            var lines = running.errors.makeAsyncIterator()
            func until(_ text: String) async throws -> String {
                while let line = try await lines.next() { if line.contains(text) { return line } }
                throw CancellationError()
            }
            _ = try await until("Eyot serves")
            try write("log-level: error\nkeep-event-days: 5\ntrace-ratio: 1\nlog-format: [\n")
            kill(served.pid, SIGHUP)
            #expect(try await until("eyot.yaml is not YAML").contains("error"))
            _ = try await until("former ones remain")
            #expect(try await served.client.call("GET", "/readyz").status == 200)
            try write("log-level: info\nkeep-event-days: 5\ntrace-ratio: 1\n")
            kill(served.pid, SIGHUP)
            let line = try await until("were read again")
            #expect(line.contains("applied=keep-event-days, log-level"), "\(line)")
            #expect(line.contains("needRestart=trace-ratio"), "\(line)")
        }
        #expect(code == 0)
    }

    @Test func `A port that is taken is named with its setting and a code`() async throws {
        try write("")
        let (ends, end) = AsyncStream.makeStream(of: Program.Ended.self)
        let other = folder.appendingPathComponent("other.sqlite").path
        _ = try await serve { served, _ in
            let second = Program(
                Rig.executable.path,
                ["serve", "--json", "--http-port", "\(served.port)", "--database-url", "sqlite:\(other)"])
            end.yield(try await second.run())
        }
        end.finish()
        let ended = try #require(await ends.first { _ in true })
        #expect(ended.code == 1)
        #expect(!ended.errors.contains("CancellationError"), "\(ended.errors)")
        let last = try #require(ended.errors.split(separator: "\n").last)
        let failure = try JSONValue(parsing: last.utf8).object
        #expect(failure?["code"] == "portTaken")
        #expect(failure?["detail"]?.string?.hasPrefix("EYOT_HTTP_PORT: ") == true, "\(ended.errors)")
    }
}
