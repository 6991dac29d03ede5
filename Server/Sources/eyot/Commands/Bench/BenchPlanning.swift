import ArgumentParser
import EyotBench

struct BenchPlanning: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "planning", abstract: "A start for very many phones, until a place is kept for each.",
        discussion: """
            Whom it concerns is found by reading, and places are kept in short transactions. Ends with 1 where fewer than 200,000 \
            a second are planned, or 99 of a hundred transactions take longer than 10 ms.
            """)

    @Option(help: "Phones, 1,000 to 5,000,000.")
    var devices = 1_000_000

    @OptionGroup var options: BenchOptions

    func validate() throws {
        try BenchOptions.check("devices", devices, BenchOptions.cards)
    }

    func run() async throws {
        let outcome = try await Planning(devices: devices, rounds: options.rounds).run { Output.err($0) }
        options.output.print(outcome.report)
        guard !outcome.complaints.isEmpty else { return }
        for complaint in outcome.complaints { Output.err(complaint) }
        throw ExitCode.failure
    }
}
