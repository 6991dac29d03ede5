import ArgumentParser
import EyotBench

struct BenchRestart: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restart", abstract: "Measure how soon a killed server with very many activities answers again.",
        discussion: """
            The server is killed with a long log. The reference is a server with an empty store in the same rounds.
            """)

    @Option(help: "The number of activities, 1000 to 5000000.")
    var activities = 1_000_000

    @Option(help: "Updates in the log, 100 to 100000, at most --activities.")
    var updates = 5_000

    @OptionGroup var options: BenchOptions

    func validate() throws {
        try BenchOptions.check("activities", activities, BenchOptions.cards)
        guard (100...100_000).contains(updates), updates <= activities else {
            throw ValidationError("--updates must lie between 100 and 100000, and be no more than --activities.")
        }
    }

    func run() async throws {
        let bench = Restart(activities: activities, updates: updates, rounds: options.rounds)
        options.output.print(try await bench.run(executable: BenchCommand.server) { Output.err($0) })
    }
}
