import ArgumentParser
import EyotBench

/// Options of all measurements in rounds.
struct BenchOptions: ParsableArguments {
    /// Cards of an activity, or activities of one card.
    static let cards = 1_000...5_000_000

    @Option(help: "The number of rounds, 1 to 100.")
    var rounds = 5

    @OptionGroup var output: BenchOutput

    func validate() throws { try Self.check("rounds", rounds, 1...100) }

    /// - Throws: an error if a value is out of range.
    static func check(_ option: String, _ value: Int, _ range: ClosedRange<Int>) throws {
        try check(option, Double(value), range)
    }

    /// - Throws: an error if a value is out of range.
    static func check(_ option: String, _ value: Double, _ range: ClosedRange<Int>) throws {
        guard value >= Double(range.lowerBound), value <= Double(range.upperBound) else {
            throw ValidationError("--\(option) must lie between \(range.lowerBound) and \(range.upperBound).")
        }
    }
}

/// The form in which figures are printed.
struct BenchOutput: ParsableArguments {
    @Flag(help: "Print the figures as a JSON object.")
    var json = false

    /// Prints a report as text or as JSON.
    func print(_ report: BenchReport) {
        if json { Output.out(report.json.text) } else { for line in report.lines { Output.out(line) } }
    }

    /// Prints the figures of a measurement with goals, and the goals that it missed.
    ///
    /// - Throws: an exit code if it missed one.
    func print(_ outcome: BenchOutcome) throws {
        print(outcome.report)
        guard !outcome.complaints.isEmpty else { return }
        for complaint in outcome.complaints { Output.err(complaint) }
        throw ExitCode.failure
    }
}
