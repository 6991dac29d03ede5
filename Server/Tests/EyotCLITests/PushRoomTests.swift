import EyotLab
import EyotTestKit
import Foundation
import Testing

@testable import EyotBench

/// `EYOT_PUSHES_PER_APP`, by a real server and an Apple that answers nothing.
@Suite("The room for pushes", .timeLimit(.minutes(10)))
struct PushRoomTests {
    private static let executable = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("eyot")
    private static let name = "final"
    private static let cards = 3_000

    private func inFlight(_ lab: Lab) async throws -> Int {
        let ops = try #require(URL(string: await lab.description.panel)?.deletingLastPathComponent())
        let text = try await APIClient(server: ops, key: "").call("GET", "/metrics").body.string
        let metrics = try ScrapedMetrics(try #require(text))
        return Int(metrics.value("eyot_push_in_flight", ["app": LabConfiguration.bundleID]) ?? 0)
    }

    @Test(arguments: [1_000, 2_000])
    func `No more pushes are in flight than the setting allows, and as many`(limit: Int) async throws {
        var configuration = LabConfiguration(executable: Self.executable)
        configuration.serverLogLevel = "error"
        configuration.serverSettings = ["EYOT_PUSHES_PER_APP": "\(limit)"]
        try await Lab.run(configuration) { lab in
            await lab.stopServer()
            let bench = try await BenchStore(of: await lab.description.database, bundleID: LabConfiguration.bundleID)
            try await bench.fill(Self.name, replicas: Self.cards)
            try await bench.remove()
            try await lab.startServer()
            lab.simulator.faults.stand(.stall)
            let answer = try await lab.api.call(
                "POST", APIClient.path("v1", "activities", Self.name, "update"), body: ["contentState": ["n": 1]])
            #expect(answer.isSuccess, "\(answer.problem)")
            var most = 0
            while most < limit {
                try Task.checkCancellation()
                most = max(most, try await inFlight(lab))
            }
            for _ in 1...100 { most = max(most, try await inFlight(lab)) }
            #expect(most == limit)
        }
    }
}
