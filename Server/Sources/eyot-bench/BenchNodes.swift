import ArgumentParser
import EyotBench

struct BenchNodes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "nodes", abstract: "Measure PostgreSQL beside SQLite, and several nodes.",
        discussion: """
            Needs the programs of a PostgreSQL server, of which it starts its own. The references are SQLite with the \
            same work, and pgbench with as many statements in each transaction. Nodes, database and callers share the \
            cores of this machine.
            """)

    @Option(help: "The number of cards of the large activity, 1000 to 5000000.")
    var replicas = 1_000_000

    @Option(help: "The number of activities of one card, 1000 to 5000000.")
    var orders = 200_000

    @Option(help: "Updates of these in a round, 100 to 1000000, at most --orders.")
    var updates = 20_000

    @OptionGroup var options: BenchOptions

    func validate() throws {
        try BenchOptions.check("replicas", replicas, BenchOptions.cards)
        try BenchOptions.check("orders", orders, BenchOptions.cards)
        guard (100...1_000_000).contains(updates), updates <= orders else {
            throw ValidationError("--updates must lie between 100 and 1000000, and be no more than --orders.")
        }
    }

    func run() async throws {
        let bench = Nodes(
            replicas: replicas, orders: orders, updates: updates, rounds: options.rounds,
            executable: try BenchCommand.server)
        options.output.print(try await bench.run { Output.err($0) })
    }
}
