import EyotContract
import EyotLab
import EyotTestKit
import Foundation
import PhoneSimulator
import Testing

/// The whole platform on a database of PostgreSQL, with phones.
@Suite("A server on PostgreSQL", .serialized, .timeLimit(.minutes(10)))
struct PostgresFlowTests {
    /// A master key that both servers have.
    private static let masterKey = Data((0..<32).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()

    private func configuration(phones: Int) async throws -> LabConfiguration {
        var configuration = Rig.configuration(phones: phones)
        configuration.serverSettings = [
            "EYOT_DATABASE_URL": try await TestPostgres.shared.emptyDatabase().text, "EYOT_MASTER_KEY": Self.masterKey,
        ]
        return configuration
    }

    /// Runs a second server on the lab's database while `body` runs.
    ///
    /// - Parameter body: Gets a client of that server with the app's key.
    private func withSecondServer(
        of lab: Lab, _ configuration: LabConfiguration, _ body: (APIClient) async throws -> Void
    ) async throws {
        let lab = await lab.description
        let environment = configuration.serverSettings.merging([
            "EYOT_CONFIG": "", "EYOT_HTTP_PORT": "0", "EYOT_LOG_LEVEL": "warning", "EYOT_APNS_SANDBOX_URL": lab.apns,
            "EYOT_APNS_PRODUCTION_URL": lab.apnsProduction, "EYOT_APNS_CA_FILE": lab.apnsCA,
        ]) { $1 }
        let program = Program(Rig.executable.path, ["serve", "--json"], environment: environment)
        let code = try await program.run { running in
            var lines = running.output.makeAsyncIterator()
            let line = try #require(try await lines.next())
            let http = try #require(
                try JSONValue(parsing: line.utf8).object?["http"]?.string.flatMap(URL.init(string:)))
            try await body(APIClient(server: http, key: lab.apiKey))
        }
        #expect(code == 0)
    }

    @Test func `A match reaches its phones, also after the server was killed`() async throws {
        let configuration = try await configuration(phones: 12)
        try await Lab.run(configuration) { lab in
            try await lab.untilStartable(12, tag: "fans")
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
        let configuration = try await configuration(phones: 6)
        try await Lab.run(configuration) { lab in
            try await lab.untilStartable(6, tag: "fans")
            try await lab.start()
            try await lab.untilTokens(6)
            try await withSecondServer(of: lab, configuration) { second in
                func update(_ score: Int) async throws {
                    let path = APIClient.path("v1", "activities", Lab.activity, "update")
                    let answer = try await second.call("POST", path, body: ["contentState": Lab.state(score: score)])
                    try #require(answer.status == 202, "\(answer.problem)")
                }
                try await update(1)
                try await lab.untilShown(score: 1)
                await lab.killServer()
                try await update(2)
                try await lab.untilShown(score: 2)
            }
            try await lab.startServer()
            try await lab.declare("end", score: 3)
            try await lab.untilShown(score: 3, .ended)
        }
    }
}
