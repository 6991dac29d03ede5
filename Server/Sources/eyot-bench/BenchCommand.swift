import ArgumentParser
import EyotBench
import Foundation

/// The root of all measurements.
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eyot-bench", abstract: "Measure this build on this machine.",
        discussion: """
            Each scenario runs in rounds, next to a reference in the same rounds. Compare only figures of the same \
            run. Build with -c release.

            eyot-bench match-night --replicas 100000 --rounds 3
            """,
        subcommands: [
            BenchMatchNight.self, BenchGrowth.self, BenchScopes.self, BenchKickOff.self, BenchOrders.self,
            BenchSoak.self, BenchAPI.self, BenchPlanning.self, BenchBulk.self, BenchCrash.self, BenchRestart.self,
            BenchOverload.self, BenchRace.self, BenchHistory.self, BenchPanel.self, BenchDevices.self,
            BenchNodes.self,
        ])

    /// The `eyot` executable beside this one. It runs the servers that are killed.
    static var server: URL {
        get throws {
            let here = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
            let server = here.deletingLastPathComponent().appending(path: "eyot")
            guard FileManager.default.isExecutableFile(atPath: server.path) else {
                throw BenchError.serverMissing(server.path)
            }
            return server
        }
    }
}
