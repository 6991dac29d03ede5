import ArgumentParser
import EyotBench

struct BenchMatchNight: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match-night", abstract: "Measure the cost of an update of an activity on very many phones.",
        discussion: """
            Measures engine and store alone, and then with the sender and nghttpd. The reference is h2load, with up to \
            200,000 requests to nghttpd in each round.
            """)

    @Option(help: "The number of cards, 1000 to 5000000.")
    var replicas = 1_000_000

    @OptionGroup var options: BenchOptions

    func validate() throws {
        try BenchOptions.check("replicas", replicas, BenchOptions.cards)
    }

    func run() async throws {
        options.output.print(try await MatchNight(replicas: replicas, rounds: options.rounds).run { Output.err($0) })
    }
}
