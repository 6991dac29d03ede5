import ArgumentParser
import EyotBench
import Foundation

struct BenchCrash: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crash", abstract: "Kill a server repeatedly while it pushes, and check for losses.",
        discussion: """
            Runs a real server with its store in a file, and Apple's side over TLS. The seed decides when the server \
            is killed. Exit code 1 means that an accepted call was lost, too many pushes came twice, or a card started \
            twice.
            """)

    @Option(help: "The number of phones, 200 to 1000000. A start gives half of them their card.")
    var tokens = 50_000

    @Option(help: "How often the server is killed, 2 to 1000, at most half of --tokens.")
    var kills = 20

    @Option(help: "A number that decides the moments of the kills. (default: a random number, which is printed)")
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
        let bench = Crash(
            tokens: tokens, kills: kills, seed: seed ?? .random(in: 1...1_000_000), executable: try BenchCommand.server)
        let outcome = try await bench.run { Output.err($0) }
        output.print(outcome.report)
        guard !outcome.complaints.isEmpty else { return }
        for complaint in outcome.complaints { Output.err(complaint) }
        throw ExitCode.failure
    }
}
