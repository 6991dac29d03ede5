import ArgumentParser
import EyotBench

struct BenchPanel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "panel", abstract: "Measure the pages of the panel over many cards and events, and open ones.",
        discussion: "Each page should take under 100 ms at the server. Open pages should read as often as one does.")

    @Option(help: "The number of cards of the activity, 1000 to 5000000.")
    var cards = 3_000_000

    @Option(help: "The number of events, 200000 to 100000000.")
    var events = 10_000_000

    @Option(help: "The number of pages that stay open, 2 to 2000.")
    var viewers = 200

    @OptionGroup var options: BenchOptions

    func validate() throws {
        try BenchOptions.check("cards", cards, BenchOptions.cards)
        try BenchOptions.check("events", events, 200_000...100_000_000)
        try BenchOptions.check("viewers", viewers, 2...2_000)
    }

    func run() async throws {
        let panel = PanelPages(cards: cards, events: events, viewers: viewers, rounds: options.rounds)
        options.output.print(try await panel.run { Output.err($0) })
    }
}
