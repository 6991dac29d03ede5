import ArgumentParser
import EyotBench

struct BenchScopes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scopes", abstract: "Measure a scoped update of very many cards, next to an update of all cards.",
        discussion: "The cards of the scope are found by reads and processed in short transactions.")

    @Option(help: "The number of cards of the activity, 1000 to 5000000.")
    var replicas = 1_000_000

    @OptionGroup var options: BenchOptions

    func validate() throws {
        try BenchOptions.check("replicas", replicas, BenchOptions.cards)
    }

    func run() async throws {
        options.output.print(try await Scopes(replicas: replicas, rounds: options.rounds).run { Output.err($0) })
    }
}
