import EyotContract
import EyotLab
import Foundation
import Testing

/// Three nodes on one database, of which some are killed, paused and stopped. What the phones show decides.
@Suite("Three nodes on PostgreSQL", .timeLimit(.minutes(10)))
struct NodeFaultTests {
    @Test func `A match goes on when a node that pushes is killed among its starts and its updates`() async throws {
        try await NodesRig.run(NodesRig.database(), phonesPerGroup: 15) { rig in
            try await rig.start()
            let first = try await rig.pushingNode()
            #expect(try await rig.lab.perform(.kill, on: first.name).state == .stopped)
            try await rig.lab.untilShown(score: 0)
            try await rig.untilTokens()
            try await rig.lab.perform(.start, on: first.name)
            try await rig.declareAll(score: 1)
            try await rig.lab.perform(.kill, on: rig.pushingNode().name)
            try await rig.declareAll(score: 2)
            try await rig.lab.untilShown(score: 2)
            rig.expectOneCard()
        }
    }

    @Test func `A node that is paused beyond its lease brings nothing old back, and starts no card twice`() async throws
    {
        try await NodesRig.run(NodesRig.database(), phonesPerGroup: 5) { rig in
            try await rig.start()
            try await rig.lab.untilShown(score: 0)
            try await rig.untilTokens()
            try await rig.declareAll(score: 1)
            let paused = try await rig.pushingNode()
            #expect(try await rig.lab.perform(.pause, on: paused.name).state == .paused)
            // They are pushed when the lease of the paused node is over. Until then it is named.
            try await rig.declareAll(score: 2)
            #expect(try await rig.namesSilent(paused.name))
            try await rig.lab.untilShown(score: 2)
            let continued = try await rig.lab.perform(.continue, on: paused.name)
            #expect(continued.state == .running && continued.pid == paused.pid)
            for declared in try await rig.declareAll(score: 3) { try await rig.lab.untilDone(declared) }
            try await rig.lab.untilShown(score: 3)
            // The continued node answers calls and knows what the others have done.
            let url = try #require(URL(string: paused.http))
            let key = await rig.lab.description.apiKey
            let answer = try await APIClient(server: url, key: key).call("GET", "/v1/activities/match-0")
            #expect(answer.body.object?["contentState"] == Lab.state(score: 3), "\(answer.body.text)")
            #expect(rig.lab.phones.allSatisfy { $0.shows(score: 3) })
            rig.expectOneCard()
        }
    }

    @Test func `A match goes on after its database was restarted and its nodes one after the other`() async throws {
        try await NodesRig.run(.throwaway, phonesPerGroup: 5) { rig in
            let description = await rig.lab.description
            let control = APIClient(
                server: try #require(URL(string: description.control)), key: description.controlSecret)
            func act(_ path: String, _ body: JSONValue? = nil) async throws -> JSONValue {
                let answer = try await control.call("POST", path, body: body)
                #expect(answer.status == 200, "\(path): \(answer.problem)")
                return answer.body
            }
            try await rig.start()
            #expect(try await act("/database/restart").object?["state"] == "running")
            try await rig.lab.untilShown(score: 0)
            try await rig.untilTokens()
            try await rig.declareAll(score: 1)
            #expect(try await act("/database/stop", ["mode": "immediate"]).object?["state"] == "stopped")
            #expect(try await control.call("POST", "/database/restart").problem.contains("[databaseStopped]"))
            #expect(try await act("/database/start").object?["state"] == "running")
            try await rig.lab.untilShown(score: 1)
            for node in description.nodes {
                #expect(try await act("/nodes/\(node.name)/stop").object?["state"] == "stopped")
                #expect(try await act("/nodes/\(node.name)/start").object?["http"] == .string(node.http))
            }
            try await rig.declareAll("end", score: 2)
            try await rig.lab.untilShown(score: 2, .ended)
            rig.expectOneCard()
            #expect(await rig.lab.nodes.allSatisfy { $0.failure == nil && $0.state == .running })
        }
    }
}
