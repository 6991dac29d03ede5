import ArgumentParser
import EyotBench

struct BenchAPI: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "api", abstract: "Updates that are accepted over HTTP, and what each costs by its parts.",
        discussion: """
            Every update is durable before it is answered, and nobody pushes. The callers run in the same process, and so does a \
            hello-world of the same framework, in turns. Ends with 1 where fewer than 5,000 a second are accepted, or 99 of a \
            hundred take longer than 50 ms.
            """)

    @Option(help: "Activities of one card, 1,000 to 5,000,000.")
    var activities = 100_000

    @Option(help: "Calls of each kind in one round, 100 to 1,000,000.")
    var calls = 20_000

    @Option(help: "Connections, and callers, 1 to 1,000.")
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
        let outcome = try await bench.run { Output.err($0) }
        options.output.print(outcome.report)
        guard !outcome.complaints.isEmpty else { return }
        for complaint in outcome.complaints { Output.err(complaint) }
        throw ExitCode.failure
    }
}
