import ArgumentParser
import EyotBench

struct BenchRestart: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restart", abstract: "How soon a server with very many activities is there after a kill.",
        discussion: "It is killed with a long log. A server with an empty store starts in the same rounds.")

    @Option(help: "Activities, 1,000 to 5,000,000.")
    var activities = 1_000_000

    @Option(help: "Updates that are in the log, 100 to 100,000.")
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
        options.output.print(try await bench.run { Output.err($0) })
    }
}
