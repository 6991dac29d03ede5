import ArgumentParser
import EyotBench

struct BenchPlanning: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "planning", abstract: "Measure a start for very many devices until each has a place.",
        discussion: """
            The devices of the audience are found by reads, and places are reserved in short transactions. Exit code 1 \
            means that fewer than 200,000 devices a second were planned, or that the 99th percentile of the \
            transactions exceeded 10 ms.
            """)

    @Option(help: "The number of devices, 1000 to 5000000.")
    var devices = 1_000_000

    @OptionGroup var options: BenchOptions

    func validate() throws {
        try BenchOptions.check("devices", devices, BenchOptions.cards)
    }

    func run() async throws {
        try options.output.print(
            try await Planning(devices: devices, rounds: options.rounds).run { Output.err($0) })
    }
}
