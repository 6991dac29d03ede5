import ArgumentParser
import EyotBench

struct BenchKickOff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kick-off", abstract: "Measure the return of very many tokens during updates.",
        discussion: """
            Writes the reports of phones from the body of a call to the store, without HTTP. The reference writes only \
            rows of the log.
            """)

    @Option(help: "The number of tokens, 1000 to 5000000.")
    var tokens = 1_000_000

    @Option(help: "Phones that wait for an answer at the same time, 1 to \(KickOff.mostPhones).")
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
