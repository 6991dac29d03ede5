import EyotLab
import Foundation

/// Shows how a demo is going: lines, and on a terminal a last line that changes.
struct DemoDisplay: Sendable {
    /// Whether standard error is a terminal.
    let isTerminal: Bool

    /// On standard error, so that the result alone is on standard output.
    init() { isTerminal = isatty(FileHandle.standardError.fileDescriptor) == 1 }

    /// How often the changing line is written anew.
    var interval: Duration { isTerminal ? .milliseconds(200) : .seconds(60) }

    func line(_ text: String) {
        Output.err(isTerminal ? "\r\u{1B}[K\(text)" : text)
    }

    /// Replaces the changing line; nothing where there is no terminal.
    func status(_ text: String) {
        guard isTerminal else { return }
        try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K\(text)".utf8))
    }

    /// A step that the backend has just declared.
    func step(_ step: MatchScript.Step, home: String, away: String) {
        let score = "\(home) \(step.state.homeScore)–\(step.state.awayScore) \(away)"
        line("\(step.state.clock.padding(to: 18))\(score.padding(to: 28))\(step.state.lastEvent ?? "")")
    }
}
