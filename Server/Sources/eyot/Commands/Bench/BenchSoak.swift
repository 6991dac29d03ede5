import ArgumentParser
import EyotBench

struct BenchSoak: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak", abstract: "Run the simulation under one seed after the other.",
        discussion: """
            Engine, store, sender, Apple and phones in an order that the seed decides, with losses and crashes. Ends with 1 \
            where a rule breaks or something is thrown, with the smallest plan that shows it and its story. A seed plays the \
            same every time.
            """)

    @Option(help: "The seed to begin with.")
    var seed: UInt64 = 1

    @Option(help: "For how long; without it, until a rule breaks.")
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
