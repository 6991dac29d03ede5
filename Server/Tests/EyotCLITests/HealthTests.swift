import EyotContract
import EyotLab
import Foundation
import Testing

@testable import eyot

@Suite("The health of a server on the command line", .timeLimit(.minutes(10)))
struct HealthTests {
    private static let executable = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().appendingPathComponent("eyot")

    @Test func `A server is asked without a key, and one that does not answer is a failure`() async throws {
        try await Lab.run(LabConfiguration(phones: 0, executable: Self.executable)) { lab in
            let url = await lab.description.http
            #expect(await Main.run(["health", "--url", url]) == .done)
            #expect(await Main.run(["health", "--live", "--json", "--url", url]) == .done)
            await lab.stopServer()
            #expect(await Main.run(["health", "--url", url]) == .failed)
            #expect(await Main.run(["health", "--live", "--url", url]) == .failed)
        }
    }

    @Test func `Each check of a server that is ready is a line`() {
        let lines = HealthCommand.lines(of: [
            "status": "ready",
            "checks": [
                ["code": "disk", "ok": true, "sentence": "9 MiB are free."],
                ["code": "keys", "ok": false, "sentence": "1 of 1 apps have no APNs key."],
            ],
        ])
        #expect(
            lines.map { $0.split(separator: " ", omittingEmptySubsequences: true).prefix(3) } == [
                ["good", "disk", "9"], ["warning", "keys", "1"],
            ])
        #expect(HealthCommand.lines(of: ["status": "ok"]) == [])
    }
}
