import ArgumentParser
import EyotBench

struct BenchGrowth: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "growth", abstract: "Measure the cost of an update in activities of several sizes.",
        discussion: "Compares the sizes with each other. A cost that grows with the size is a fault.")

    @Option(parsing: .upToNextOption, help: "Numbers of cards, each 2000 to 5000000.")
    var sizes = [10_000, 100_000, 1_000_000]

    @Option(help: "Updates of a single card, and new tokens, in each round, 1 to 50.")
    var singles = 40

    @OptionGroup var options: BenchOptions

    func validate() throws {
        guard !sizes.isEmpty else { throw ValidationError("--sizes must name one size or more.") }
        for size in sizes { try BenchOptions.check("sizes", size, 2_000...BenchOptions.cards.upperBound) }
        try BenchOptions.check("singles", singles, 1...50)
        guard sizes.allSatisfy({ 2 * singles * options.rounds <= $0 }) else {
            throw ValidationError("--sizes must have two cards for each of the --singles of all rounds.")
        }
    }

    func run() async throws {
        options.output.print(
            try await Growth(sizes: sizes, rounds: options.rounds, singles: singles).run { Output.err($0) })
    }
}
