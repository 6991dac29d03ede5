import EyotContract
import EyotLab
import EyotTestKit
import Foundation
import Testing

/// What the control API says of nodes and their database.
@Suite("The control of nodes", .timeLimit(.minutes(10)))
struct NodeControlTests {
    private func run(
        report: @escaping @Sendable (String) -> Void = { _ in }, _ body: (Lab, APIClient) async throws -> Void
    ) async throws {
        var configuration = Rig.configuration(phones: 0)
        configuration.report = report
        try await Lab.run(configuration) { lab in
            let description = await lab.description
            let url = try #require(URL(string: description.control))
            try await body(lab, APIClient(server: url, key: description.controlSecret))
        }
    }

    @Test func `Each state of a node takes the actions that it can, and refuses the others by name`() async throws {
        try await run { lab, control in
            func act(_ action: String, on node: String = "1") async throws -> String {
                let answer = try await control.call("POST", "/nodes/\(node)/\(action)")
                return answer.isSuccess
                    ? answer.body.object?["state"]?.string ?? ""
                    : "\(answer.status) \(answer.body.object?["code"]?.string ?? "")"
            }
            let former = await lab.nodes[0]
            #expect(former.name == "node-1" && former.state == .running && former.pid != nil)
            let again = try await act("start")
            #expect(again == "409 nodeRunning")
            #expect(try await act("continue") == "409 nodeRunning")
            #expect(try await act("pause", on: "node-1") == "paused")
            for action in ["pause", "start", "stop"] { #expect(try await act(action) == "409 nodePaused") }
            #expect(try await act("continue") == "running")
            #expect(try await act("kill") == "stopped")
            #expect(await lab.nodes[0].pid == nil)
            for action in ["kill", "stop", "pause", "continue"] {
                #expect(try await act(action) == "409 nodeStopped")
            }
            #expect(try await act("start") == "running")
            let node = await lab.nodes[0]
            #expect(node.http == former.http && node.ops == former.ops && node.pid != former.pid)
            #expect(node.failure == nil)
            for unknown in ["0", "2", "node-2", "x"] {
                #expect(try await act("kill", on: unknown) == "404 nodeUnknown")
            }
            #expect(try await act("dance") == "404 routeUnknown")
            #expect(try await act("pause") == "paused", "the lab can end although a node is paused")
        }
    }

    @Test func `A lab on a file has no database that it could stop`() async throws {
        try await run { _, control in
            for action in ["restart", "stop", "start"] {
                let answer = try await control.call("POST", "/database/\(action)")
                #expect(answer.status == 409 && answer.body.object?["code"] == "databaseNotOwned")
            }
            #expect(try await control.call("POST", "/database/drop").status == 404)
        }
    }

    @Test func `The end of a node that the lab did not ask for is reported, and no other`() async throws {
        let (lines, line) = AsyncStream.makeStream(of: String.self)
        let report: @Sendable (String) -> Void = { line.yield($0) }
        try await run(report: report) { lab, control in
            try await lab.perform(.kill, on: "1")
            try await lab.perform(.start, on: "1")
            let pid = try #require(await lab.nodes[0].pid)
            kill(pid, SIGKILL)
            try await lab.untilServer { await lab.nodes[0].state == .stopped }
            let answer = try await control.call("GET", "/nodes").body.object?["nodes"]?.array?.first?.object
            #expect(answer?["failure"] == "signal 9" && answer?["pid"] == .null && answer?["state"] == "stopped")
            try await lab.perform(.start, on: "1")
            #expect(await lab.nodes[0].failure == nil)
            line.finish()
            let told = await lines.reduce(into: [String]()) { $0.append($1) }
            #expect(told.count == 1, "\(told)")
            #expect(told.first?.hasPrefix("node-1 (process \(pid)) has ended with signal 9") == true, "\(told)")
        }
    }

    @Test func `Phones and calls go on to another node when theirs is gone`() async throws {
        var configuration = Rig.configuration(phones: 4)
        (configuration.nodes, configuration.database) = (2, try await NodesRig.database())
        try await Lab.run(configuration) { lab in
            try await lab.untilStartable(4, tag: "fans")
            let client = try lab.api
            // As a crash of which the lab has not heard: the connection is refused.
            kill(try #require(await lab.nodes[0].pid), SIGKILL)
            for phone in lab.phones { try phone.startLocally() }
            try await lab.untilTokens(4)
            #expect(try await client.call("GET", "/v1/activities/\(Lab.activity)").status == 200)
            try await lab.perform(.start, on: "node-1")
            try await lab.perform(.pause, on: "node-2")
            try await lab.declare("update", score: 1)
            try await lab.untilShown(score: 1)
        }
    }
}
