import ArgumentParser
import EyotBench

struct BenchHistory: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Measure why, reports, lists of cards and events over a long history.",
        discussion: "Answers should take as long with ten million events as with ten.")

    @Option(help: "The number of cards of the activity, 1000 to 5000000.")
    var cards = 1_000_000

    @Option(help: "The number of events, 200000 to 100000000.")
    var events = 10_000_000

    @OptionGroup var options: BenchOptions

    func validate() throws {
        try BenchOptions.check("cards", cards, BenchOptions.cards)
        try BenchOptions.check("events", events, 200_000...100_000_000)
    }

    func run() async throws {
        options.output.print(
            try await History(cards: cards, events: events, rounds: options.rounds).run { Output.err($0) })
    }
}
