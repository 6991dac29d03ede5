import ArgumentParser
import EyotBench

struct BenchAPI: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "api", abstract: "Measure updates over HTTP, and the cost of each part of a call.",
        discussion: """
            Each update is durable before its answer, and no pushes are sent. The callers and a hello-world server of \
            the same framework run in the same process, in turns. Exit code 1 means that fewer than 5,000 updates a \
            second were accepted, or that the 99th percentile exceeded 50 ms.
            """)

    @Option(help: "The number of activities with a single card, 1000 to 5000000.")
    var activities = 100_000

    @Option(help: "Calls of each kind in a round, 100 to 1000000.")
    var calls = 20_000

    @Option(help: "The number of connections, each with a caller, 1 to 1000.")
    var connections = 64

    @OptionGroup var options: BenchOptions

    func validate() throws {
        try BenchOptions.check("activities", activities, BenchOptions.cards)
        try BenchOptions.check("calls", calls, 100...1_000_000)
        try BenchOptions.check("connections", connections, 1...1_000)
    }

    func run() async throws {
        let bench = Accepting(
            activities: activities, calls: calls, connections: connections, rounds: options.rounds)
        try options.output.print(try await bench.run { Output.err($0) })
    }
}
