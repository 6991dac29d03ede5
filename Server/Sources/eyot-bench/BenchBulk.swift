import ArgumentParser
import EyotBench

struct BenchBulk: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bulk", abstract: "Measure requests that write very many users and devices.",
        discussion: """
            Writes 20,000 users and 20,000 devices, new and known, in short transactions. Exit code 1 means that the \
            99th percentile of the transactions exceeded 10 ms.
            """)

    @OptionGroup var options: BenchOptions

    func run() async throws {
        try options.output.print(try await Bulk(rounds: options.rounds).run { Output.err($0) })
    }
}
