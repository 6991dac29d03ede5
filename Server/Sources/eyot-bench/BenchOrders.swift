import ArgumentParser
import EyotBench

struct BenchOrders: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "orders",
        abstract: "Measure single calls over HTTP that update very many activities of a single card.",
        discussion: """
            The callers run in the same process. The reference is calls of /healthz, which show the limit of HTTP \
            alone.
            """)

    @Option(help: "The number of activities, 1000 to 5000000.")
    var orders = 1_000_000

    @Option(help: "Updates in a round, 100 to 1000000, at most --orders.")
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
