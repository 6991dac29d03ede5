import ArgumentParser
import EyotBench

struct BenchRace: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "race",
        abstract: "Measure updates every 30 seconds while Apple leaves every fifth push unanswered.",
        discussion: """
            The sender and Apple's side run over TLS in the same process. Time runs faster, but the cost of a push \
            stays the same. So ages are printed in the time of the race and in real time. The reference runs the same \
            race without sender and Apple, in turns.
            """)

    @Option(help: "The number of cards, 1000 to 100000.")
    var replicas = 12_000

    @Option(help: "Minutes of all rounds, in the time of the race, 5 to 1440. The reference takes as many.")
    var minutes = 120.0

    @Option(help: "The speed of the time of the race, 1 to 100 times real time.")
    var speed = 20.0

    @OptionGroup var options: BenchOptions

    func validate() throws {
        try BenchOptions.check("replicas", replicas, 1_000...100_000)
        try BenchOptions.check("minutes", minutes, 5...1_440)
        try BenchOptions.check("speed", speed, 1...100)
        guard options.rounds <= Race.updates(in: minutes) else {
            throw ValidationError("--rounds must leave an update for each part: there are two in a minute.")
        }
    }

    func run() async throws {
        let bench = Race(replicas: replicas, minutes: minutes, speed: speed, rounds: options.rounds)
        options.output.print(try await bench.run { Output.err($0) })
    }
}
