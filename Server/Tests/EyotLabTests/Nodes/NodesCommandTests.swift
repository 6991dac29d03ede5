import EyotContract
import EyotLab
import EyotTestKit
import Foundation
import Testing

/// `eyot lab` with several nodes as a process.
@Suite("The command of a lab with several nodes", .timeLimit(.minutes(10)))
struct NodesCommandTests {
    /// Waits until nothing listens at a node's address.
    private func untilGone(_ node: JSONObject) async throws {
        let client = APIClient(
            server: try #require(node["http"]?.string.flatMap(URL.init(string:))), key: "", timeout: 2)
        while true {
            do {
                _ = try await client.call("GET", "/healthz")
            } catch APIClient.Failure.unreachable(_, let reason) where !reason.contains("timed out") {
                return
            } catch is APIClient.Failure {
                // A paused process takes connections and answers nothing.
            }
            try Task.checkCancellation()
        }
    }

    @Test func `It describes its nodes without a password, and none outlives it, not even a paused one`() async throws {
        let home = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        let script = #""$0" lab --nodes 3 --postgres --phones 2 --json & echo "$!"; wait "$!""#
        let lab = Program("sh", ["-c", script, Rig.executable.path], environment: ["HOME": home.path])
        _ = try await lab.run { running in
            var lines = running.output.makeAsyncIterator()
            let pid = try #require(try await lines.next().flatMap { Int32($0) })
            let line = try #require(try await lines.next(), "the lab ended before its first line")
            let description = try #require(try JSONValue(parsing: line.utf8).object)
            let nodes = description["nodes"]?.array?.compactMap(\.object) ?? []
            #expect(nodes.map { $0["name"]?.string } == ["node-1", "node-2", "node-3"])
            #expect(Set(nodes.compactMap { $0["http"]?.string }).count == 3)
            #expect(Set(nodes.compactMap { $0["pid"]?.integer }).count == 3)
            #expect(nodes.first?["http"] == description["http"] && nodes.first?["pid"] == description["serverPID"])
            let database = try #require(description["database"]?.string)
            #expect(database.wholeMatch(of: /postgres:\/\/127\.0\.0\.1:[0-9]+\/postgres/) != nil, "\(database)")
            let control = APIClient(
                server: try #require(description["control"]?.string.flatMap(URL.init(string:))),
                key: description["controlSecret"]?.string ?? "")
            #expect(try await control.call("POST", "/nodes/2/pause").status == 200)
            kill(pid, SIGKILL)
            for node in nodes { try await untilGone(node) }
            while try await Program("pg_isready", ["--dbname", database]).run().code == 0 {}
        }
    }

    @Test func `The commands of the page on nodes show the end of a match after its node was killed`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../../docs/concepts/nodes.md").standardizedFileURL
        let blocks = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "\n```sh\n").dropFirst()
            .compactMap { $0.components(separatedBy: "\n```").first }
        try #require(blocks.count == 1)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let ended = try await Program(
            // A lab that a failed command leaves behind ends with the shell.
            "bash", ["-e", "-o", "pipefail", "-c", "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n" + blocks[0]],
            in: folder,
            environment: [
                "HOME": folder.path, "PATH": "\(Rig.executable.deletingLastPathComponent().path):\(path)",
            ]
        ).run()
        #expect(ended.code == 0, "\(ended.words)")
        let lines = ended.output.split(separator: "\n")
        #expect(lines.last == "true", "\(ended.words)")
        let killed = ended.output.components(separatedBy: #"{"name":"node-1""#).last
        #expect(killed?.contains(#""pid":null,"state":"stopped"}"#) == true, "\(ended.output)")
    }

    @Test func `A folder is not used with another database than before`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("eyot-test-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var configuration = Rig.configuration(phones: 1)
        configuration.folder = folder
        configuration.database = try await NodesRig.database()
        try await Lab.run(configuration) { lab in
            try await lab.untilStartable(1, tag: "fans")
            try await lab.start()
            try await lab.untilTokens(1)
        }
        configuration.nodes = 2
        try await Lab.run(configuration) { lab in
            try await lab.declare("update", score: 1)
            try await lab.untilShown(score: 1)
        }
        (configuration.nodes, configuration.database) = (1, .file)
        await #expect(
            performing: {
                try await Lab.run(configuration) { _ in }
            },
            throws: { error in
                guard case LabError.folder(_, let reason) = error else { return false }
                return reason.contains("belong to the database postgres://127.0.0.1")
            })
    }
}
