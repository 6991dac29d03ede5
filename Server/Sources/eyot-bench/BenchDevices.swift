import ArgumentParser
import EyotBench

struct BenchDevices: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices", abstract: "Measure the calls of phones over TLS, and the cost of each part.",
        discussion: """
            Phones register, and report tokens and shown states. Each report is durable before its answer, and no \
            pushes are sent. The callers and a hello-world server of the same framework with the same TLS run in the \
            same process, in turns. Exit code 1 means that token reports on kept connections had less than half of \
            hello-world's rate.

            With --returning phones then come back, each on a new connection with one report, while a match on 5,000 \
            cards has an update a second. They come at their times, whether or not the server keeps up.

            eyot-bench devices --returning 1000000 --within 120
            """)

    @Option(help: "The number of known phones, 1000 to 5000000.")
    var phones = 100_000

    @Option(help: "Calls of each kind in a round, 100 to the number of phones.")
    var calls = 20_000

    @Option(help: "The number of connections at a time, each with a caller, 1 to 1000.")
    var connections = 64

    @Option(help: "Phones that come back during a match after the rounds, 0 to 5000000.")
    var returning = 0

    @Option(help: "Seconds within which they come back, 1 to 3600.")
    var within = 120.0

    @Option(help: "Milliseconds that their listener may be late and take new connections; 0 is without limit.")
    var lag = 500

    @OptionGroup var options: BenchOptions

    func validate() throws {
        try BenchOptions.check("phones", phones, BenchOptions.cards)
        try BenchOptions.check("calls", calls, 100...phones)
        try BenchOptions.check("connections", connections, 1...1_000)
        try BenchOptions.check("returning", returning, 0...5_000_000)
        try BenchOptions.check("within", within, 1...3_600)
        try BenchOptions.check("lag", lag, 0...60_000)
    }

    func run() async throws {
        var bench = DeviceCalls(phones: phones, calls: calls, connections: connections, rounds: options.rounds)
        (bench.returning, bench.returnSeconds, bench.lag) = (returning, within, lag)
        try options.output.print(try await bench.run { Output.err($0) })
    }
}
