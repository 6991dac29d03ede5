import ArgumentParser

struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measure this build on this machine.",
        discussion: """
            Each scenario runs in rounds, next to a reference in the same rounds. Compare only figures of the same \
            run. Build with -c release.

            eyot bench match-night --replicas 100000 --rounds 3
            """,
        subcommands: [
            BenchMatchNight.self, BenchGrowth.self, BenchScopes.self, BenchKickOff.self, BenchOrders.self,
            BenchSoak.self, BenchAPI.self, BenchPlanning.self, BenchBulk.self, BenchCrash.self, BenchRestart.self,
            BenchOverload.self, BenchRace.self, BenchHistory.self, BenchPanel.self,
        ])
}
