import EyotContract
import EyotLab
import EyotTestKit
import Foundation
import PhoneSimulator
import Testing

/// The whole platform on a database of PostgreSQL, with phones.
@Suite("A server on PostgreSQL", .serialized, .timeLimit(.minutes(10)))
struct PostgresFlowTests {
    private func configuration(phones: Int) async throws -> LabConfiguration {
        var configuration = Rig.configuration(phones: phones)
        configuration.database = try await NodesRig.database()
        return configuration
    }

    @Test func `A match reaches its phones, also after the server was killed`() async throws {
        let configuration = try await configuration(phones: 12)
        try await Rig.run(configuration) { lab in
            try await lab.start()
            try await lab.untilTokens(12)
            try await lab.declare("update", score: 1)
            try await lab.untilShown(score: 1)
            await lab.killServer()
            try await lab.startServer()
            try await lab.declare("update", score: 2)
            try await lab.untilShown(score: 2)
            try await lab.declare("end", score: 3)
            try await lab.untilShown(score: 3, .ended)
        }
    }

    @Test func `A second server accepts calls while the first one pushes, and pushes after that one is killed`()
        async throws
    {
        var configuration = try await configuration(phones: 6)
        configuration.nodes = 2
        try await Rig.run(configuration) { lab in
            try await lab.start()
            try await lab.untilTokens(6)
            let second = try #require(URL(string: await lab.nodes[1].http))
            let client = APIClient(server: second, key: await lab.description.apiKey)
            func update(_ score: Int) async throws {
                let path = APIClient.path("v1", "activities", Lab.activity, "update")
                let answer = try await client.call("POST", path, body: ["contentState": Lab.state(score: score)])
                try #require(answer.status == 202, "\(answer.problem)")
            }
            try await update(1)
            try await lab.untilShown(score: 1)
            await lab.killServer()
            try await update(2)
            try await lab.untilShown(score: 2)
            try await lab.declare("end", score: 3)
            try await lab.untilShown(score: 3, .ended)
        }
    }
}
