import ArgumentParser
import EyotBench

struct BenchOverload: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "overload", abstract: "Declare ten times as much as can be sent.",
        discussion: "The sink takes a tenth of the cards a second, and each card gets an update a second.")

    @Option(help: "Cards, 1,000 to 5,000,000.")
    var replicas = 100_000

    @Option(help: "Seconds of each, 12 to 3,600: a lap of the sink takes 10.")
    var seconds = 20.0

    @OptionGroup var options: BenchOptions

    func validate() throws {
        try BenchOptions.check("replicas", replicas, BenchOptions.cards)
        try BenchOptions.check("seconds", seconds, 12...3_600)
    }

    func run() async throws {
        let bench = Overload(replicas: replicas, rounds: options.rounds, seconds: seconds)
        options.output.print(try await bench.run { Output.err($0) })
    }
}
