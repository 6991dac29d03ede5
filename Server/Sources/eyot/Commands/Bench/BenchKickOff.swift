import ArgumentParser
import EyotBench

struct BenchKickOff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kick-off", abstract: "Very many tokens come back while updates are on their way.",
        discussion: """
            What phones report goes from the call's body into the store; HTTP is not part of it. Beside it the limit: rows in \
            the log, and nothing else.
            """)

    @Option(help: "Tokens, 1,000 to 5,000,000.")
    var tokens = 1_000_000

    @Option(help: "Phones that wait for their answers at a time, 1 to \(KickOff.mostPhones).")
    var phones = 3_000

    @OptionGroup var options: BenchOptions

    func validate() throws {
        try BenchOptions.check("tokens", tokens, BenchOptions.cards)
        try BenchOptions.check("phones", phones, 1...KickOff.mostPhones)
    }

    func run() async throws {
        let bench = KickOff(tokens: tokens, phones: phones, rounds: options.rounds)
        options.output.print(try await bench.run { Output.err($0) })
    }
}
