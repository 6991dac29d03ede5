import ArgumentParser
import EyotBench

struct BenchSoak: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak", abstract: "Run the simulation with one seed after another.",
        discussion: """
            Runs engine, store, sender, Apple and phones in an order that the seed decides, with losses and crashes. \
            The same seed gives the same run. Exit code 1 means that a rule broke or an error was thrown. Then the \
            command prints the smallest plan that shows it, with its trace.

            eyot-bench soak --seed 1 --minutes 10
            """)

    @Option(help: "The first seed.")
    var seed: UInt64 = 1

    @Option(help: "How many minutes to run. (default: until a rule breaks)")
    var minutes: Double?

    func validate() throws {
        guard minutes.map({ $0 >= 0 }) ?? true else { throw ValidationError("--minutes must not be negative.") }
    }

    func run() async throws {
        let outcome = try await Soak(firstSeed: seed, seconds: minutes.map { $0 * 60 }).run { Output.err($0) }
        if let complaint = outcome.complaint {
            Output.out(complaint)
            throw ExitCode.failure
        }
        Output.out("\(outcome.seeds) seeds from \(seed) on: every rule held")
    }
}
