import ArgumentParser
import EyotBench

struct BenchGrowth: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth", abstract: "What an update costs in activities of several sizes.",
        discussion: "Each size stands beside the others: what grows with the size is a fault.")

    @Option(parsing: .upToNextOption, help: "Cards, each number 1,000 to 5,000,000.")
    var sizes = [10_000, 100_000, 1_000_000]

    @Option(help: "How often each is measured, 1 to 10.")
    var rounds = 5

    @Option(help: "Updates of one card, and new tokens, in each round, 1 to 50.")
    var singles = 40

    @Flag(help: "Print the figures as an object.")
    var json = false

    func validate() throws {
        guard !sizes.isEmpty else { throw ValidationError("--sizes must name one size or more.") }
        for size in sizes { try BenchLimits.check("sizes", size, BenchLimits.cards) }
        try BenchLimits.check("rounds", rounds, 1...10)
        try BenchLimits.check("singles", singles, 1...50)
    }

    func run() async throws {
        Output.report(
            try await Growth(sizes: sizes, rounds: rounds, singles: singles).run { Output.err($0) }, json: json)
    }
}
