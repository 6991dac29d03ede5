import ArgumentParser
import EyotBench

struct BenchBulk: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bulk", abstract: "What is said of very many users and phones in one request.",
        discussion: """
            20,000 users and 20,000 phones, new ones and known ones, in short transactions. Ends with 1 where 99 of a hundred of \
            them take longer than 10 ms.
            """)

    @OptionGroup var options: BenchOptions

    func run() async throws {
        let outcome = try await Bulk(rounds: options.rounds).run { Output.err($0) }
        options.output.print(outcome.report)
        guard !outcome.complaints.isEmpty else { return }
        for complaint in outcome.complaints { Output.err(complaint) }
        throw ExitCode.failure
    }
}
