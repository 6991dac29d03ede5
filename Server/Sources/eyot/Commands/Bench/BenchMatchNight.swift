import ArgumentParser
import EyotBench

struct BenchMatchNight: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "match-night", abstract: "One activity on very many phones: the cost of an update.",
        discussion: """
            Once for engine and store alone, and once through the sender to nghttpd. The peer is h2load, which makes as many \
            requests to nghttpd, up to 200,000, in each round.
            """)

    @Option(help: "Cards, 1,000 to 5,000,000.")
    var replicas = 1_000_000

    @OptionGroup var options: BenchOptions

    func validate() throws {
        try BenchOptions.check("replicas", replicas, BenchOptions.cards)
    }

    func run() async throws {
        options.output.print(try await MatchNight(replicas: replicas, rounds: options.rounds).run { Output.err($0) })
    }
}
