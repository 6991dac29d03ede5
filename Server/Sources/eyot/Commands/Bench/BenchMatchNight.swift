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

    @Option(help: "How often it is measured, 1 to 100.")
    var rounds = 5

    @Flag(help: "Print the figures as an object.")
    var json = false

    func validate() throws {
        try BenchLimits.check("replicas", replicas, BenchLimits.cards)
        try BenchLimits.check("rounds", rounds, BenchLimits.rounds)
    }

    func run() async throws {
        Output.report(try await MatchNight(replicas: replicas, rounds: rounds).run { Output.err($0) }, json: json)
    }
}
