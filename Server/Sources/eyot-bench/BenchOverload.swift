import ArgumentParser
import EyotBench

struct BenchOverload: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "overload", abstract: "Measure a load of declarations that is ten times the sending rate.",
        discussion: """
            The sink accepts pushes for a tenth of the cards each second. Each card gets an update each second.
            """)

    @Option(help: "The number of cards, 1000 to 5000000.")
    var replicas = 100_000

    @Option(help: "Seconds of each round, 12 to 3600. A lap of the sink takes 10 seconds.")
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
