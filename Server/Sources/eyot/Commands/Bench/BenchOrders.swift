import ArgumentParser
import EyotBench

struct BenchOrders: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "orders", abstract: "Very many activities of one card, updated by single calls over HTTP.",
        discussion: "The callers run in the same process. What HTTP alone allows is measured by calls of /healthz.")

    @Option(help: "Activities, 1,000 to 5,000,000.")
    var orders = 1_000_000

    @Option(help: "Updates in one round, 100 to 1,000,000.")
    var updates = 20_000

    @OptionGroup var options: BenchOptions

    func validate() throws {
        try BenchOptions.check("orders", orders, BenchOptions.cards)
        guard (100...1_000_000).contains(updates), updates <= orders else {
            throw ValidationError("--updates must lie between 100 and 1000000, and be no more than --orders.")
        }
    }

    func run() async throws {
        let bench = Orders(orders: orders, updates: updates, rounds: options.rounds)
        options.output.print(try await bench.run { Output.err($0) })
    }
}
