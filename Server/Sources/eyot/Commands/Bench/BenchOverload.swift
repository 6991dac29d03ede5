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
        guard (1_000...5_000_000).contains(replicas) else {
            throw ValidationError("--replicas must lie between 1000 and 5000000.")
        }
        guard (1...100).contains(rounds) else { throw ValidationError("--rounds must lie between 1 and 100.") }
        guard (12...3_600).contains(seconds) else {
            throw ValidationError("--seconds must lie between 12 and 3600.")
        }
    }

    func run() async throws {
        let bench = Overload(replicas: replicas, rounds: rounds, seconds: seconds)
        Output.report(try await bench.run { Output.err($0) }, json: json)
    }
}
