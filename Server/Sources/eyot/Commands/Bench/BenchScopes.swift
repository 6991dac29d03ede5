import ArgumentParser
import EyotBench

struct BenchScopes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scopes", abstract: "An update for very many cards of an activity, beside one for everyone.",
        discussion: "Whom it concerns is found by reading and told in short transactions.")

    @Option(help: "Cards of the activity, 1,000 to 5,000,000.")
    var replicas = 1_000_000

    @OptionGroup var options: BenchOptions

    func validate() throws {
        try BenchOptions.check("replicas", replicas, BenchOptions.cards)
    }

    func run() async throws {
        options.output.print(try await Scopes(replicas: replicas, rounds: options.rounds).run { Output.err($0) })
    }
}
