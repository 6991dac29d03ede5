import EyotContract
import EyotLab
import EyotTestKit
import Foundation
import PhoneSimulator
import Testing

/// The whole platform on a database of PostgreSQL, with phones.
@Suite("A server on PostgreSQL", .serialized, .timeLimit(.minutes(10)))
struct PostgresFlowTests {
    /// - Parameter pooler: What stands between the servers and the database; nil for nothing.
    private func configuration(
        phones: Int, behind pooler: ThrowawayPgbouncer? = nil
    ) async throws -> LabConfiguration {
        var configuration = Rig.configuration(phones: phones)
        let url = try await TestPostgres.shared.emptyDatabase()
        configuration.database = .existing(try pooler?.url(url).text ?? url.text)
        if pooler != nil { configuration.serverSettings["EYOT_DATABASE_DIRECT_URL"] = url.text }
        return configuration
    }

    @Test(arguments: [false, true])
    func `A match reaches its phones, also after the server was killed`(_ isPooled: Bool) async throws {
        let pooler = isPooled ? try await ThrowawayPgbouncer.start(before: TestPostgres.shared.server()) : nil
        let configuration = try await configuration(phones: 12, behind: pooler)
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
            // The second process goes on with the provider token of the first.
            let tokens = lab.simulator.requests(limit: 1_000).compactMap { request in
                request.headers.first { $0.name == "authorization" }?.value
            }
            #expect(tokens.count > 12 && Set(tokens).count == 1)
        }
        await pooler?.stop()
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
