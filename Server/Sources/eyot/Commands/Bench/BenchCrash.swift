import ArgumentParser
import EyotBench
import Foundation

struct BenchCrash: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crash", abstract: "Kill a server again and again while it pushes, and look for what was lost.",
        discussion: """
            A real server with a store in a file and Apple's side over TLS. The seed decides the moments of the kills. Ends \
            with 1 where something that was accepted is lost, too much comes twice, or a card is started twice.
            """)

    @Option(help: "Phones, 200 to 1,000,000. Half of them get their card by a start.")
    var tokens = 50_000

    @Option(help: "How often the server is killed, 2 to 1,000, and no more than half of the tokens.")
    var kills = 20

    @Option(help: "Decides the moments; without it a new one, which is printed.")
    var seed: UInt64?

    @OptionGroup var output: BenchOutput

    func validate() throws {
        try BenchOptions.check("tokens", tokens, 200...1_000_000)
        try BenchOptions.check("kills", kills, 2...1_000)
        guard kills <= tokens / 2 else {
            throw ValidationError(
                "--kills must be no more than half of --tokens: a card is started before nearly each.")
        }
    }

    func run() async throws {
        let bench = Crash(tokens: tokens, kills: kills, seed: seed ?? .random(in: 1...1_000_000))
        let outcome = try await bench.run { Output.err($0) }
        output.print(outcome.report)
        guard !outcome.complaints.isEmpty else { return }
        for complaint in outcome.complaints { Output.err(complaint) }
        throw ExitCode.failure
    }
}
