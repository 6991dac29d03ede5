import ArgumentParser

struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measure this build on this machine.",
        discussion: """
            Each scenario is measured in rounds, beside a peer in the same rounds: figures of one run can be compared, \
            those of different runs cannot. Build with -c release.
            """,
        subcommands: [
            BenchMatchNight.self, BenchGrowth.self, BenchScopes.self, BenchKickOff.self, BenchOrders.self,
            BenchSoak.self, BenchAPI.self, BenchPlanning.self, BenchBulk.self,
            BenchCrash.self,
            BenchRestart.self, BenchOverload.self, BenchRace.self,
        ])
}
