import EyotLab
import Foundation

/// The progress of a demo as lines of text. On a terminal the last line changes in place.
struct DemoDisplay: Sendable {
    /// Whether standard error is a terminal.
    let isTerminal: Bool

    /// Progress goes to standard error, so that standard output has only the result.
    init() { isTerminal = Terminal.errors.isTerminal }

    /// How often the changing line is rewritten.
    var interval: Duration { isTerminal ? .milliseconds(200) : .seconds(60) }

    func line(_ text: String) {
        Output.err(isTerminal ? "\r\u{1B}[K\(text)" : text)
    }

    /// Replaces the changing line. Does nothing without a terminal.
    func status(_ text: String) {
        guard isTerminal else { return }
        try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K\(text)".utf8))
    }

    /// Prints a step that the backend has just declared.
    func step(_ step: MatchScript.Step, home: String, away: String) {
        let score = "\(home) \(step.state.homeScore)–\(step.state.awayScore) \(away)"
        line("\(step.state.clock.padding(to: 18))\(score.padding(to: 28))\(step.state.lastEvent ?? "")")
    }
}
