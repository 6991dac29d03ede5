import ArgumentParser
import EyotBench

struct BenchOverload: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "overload", abstract: "Declare ten times as much as can be sent.",
        discussion: "The sink takes a tenth of the cards a second, and each card gets an update a second.")

    @Option(help: "Cards, 1,000 to 5,000,000.")
    var replicas = 100_000

    @Option(help: "How often it is measured, 1 to 100.")
    var rounds = 5

    @Option(help: "Seconds of each, 12 to 3,600: a lap of the sink takes 10.")
    var seconds = 20.0

    @Flag(help: "Print the figures as an object.")
    var json = false

    func validate() throws {
        try BenchLimits.check("replicas", replicas, BenchLimits.cards)
        try BenchLimits.check("rounds", rounds, BenchLimits.rounds)
        try BenchLimits.check("seconds", seconds, 12...3_600)
    }

    func run() async throws {
        let bench = Overload(replicas: replicas, rounds: rounds, seconds: seconds)
        Output.report(try await bench.run { Output.err($0) }, json: json)
    }
}
