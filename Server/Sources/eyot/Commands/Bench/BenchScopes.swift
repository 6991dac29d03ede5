import ArgumentParser
import EyotBench

struct BenchScopes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scopes", abstract: "An update for very many cards of an activity, beside one for everyone.",
        discussion: "Whom it concerns is found by reading and told in short transactions.")

    @Option(help: "Cards of the activity, 1,000 to 5,000,000.")
    var replicas = 1_000_000

    @Option(help: "How often each is measured, 1 to 10.")
    var rounds = 5

    @Flag(help: "Print the figures as an object.")
    var json = false

    func validate() throws {
        try BenchLimits.check("replicas", replicas, BenchLimits.cards)
        try BenchLimits.check("rounds", rounds, 1...10)
    }

    func run() async throws {
        Output.report(try await Scopes(replicas: replicas, rounds: rounds).run { Output.err($0) }, json: json)
    }
}
