import EyotBench

extension Output {
    /// Prints figures, for people or for programs.
    static func report(_ report: BenchReport, json: Bool) {
        if json { out(report.json.text) } else { for line in report.lines { out(line) } }
    }
}
