import ArgumentParser
import EyotBench

struct BenchRace: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "race", abstract: "An update every 30 seconds, while Apple never answers every fifth push.",
        discussion: """
            Sender and Apple's side talk over TLS in one process. Time runs faster, so that the race takes minutes; what a push \
            costs does not: ages are told in the race's time and as they passed. So the same race is run in turns without the \
            two, for what engine and store bring about.
            """)

    @Option(help: "Cards, 1,000 to 100,000.")
    var replicas = 12_000

    @Option(help: "Minutes of the race, in its own time and in all rounds, 5 to 1,440; as many without the sender.")
    var minutes = 120.0

    @Option(help: "How many times as fast its time runs, 1 to 100.")
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
