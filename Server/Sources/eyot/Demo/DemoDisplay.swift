import EyotLab
import Foundation
import Synchronization

/// The progress of a demo as lines of text. On a terminal the last lines are a board that changes in place.
final class DemoDisplay: Sendable {
    /// Progress goes to standard error, so that standard output has only the result.
    let terminal = Terminal.errors
    /// The lines that change in place.
    private let board = Mutex<[String]>([])

    /// Whether lines can change in place.
    var isTerminal: Bool { terminal.isTerminal }

    /// How often the board is drawn again.
    var interval: Duration { isTerminal ? .milliseconds(100) : .seconds(60) }

    /// Prints a line above the board.
    func line(_ text: String) {
        guard isTerminal else { return Output.err(text) }
        board.withLock { write(Self.erasing($0) + text + "\n" + Self.text(of: $0)) }
    }

    /// Replaces the board. Does nothing without a terminal.
    func show(_ lines: [String]) {
        guard isTerminal else { return }
        board.withLock { board in
            write(Self.erasing(board) + Self.text(of: lines))
            board = lines
        }
    }

    /// Replaces the board by one line; an empty one removes it.
    func status(_ text: String) { show(text.isEmpty ? [] : [text]) }

    /// Leaves the board as it is. What follows is printed below it.
    func keep() { board.withLock { $0 = [] } }

    /// Prints a step that the backend has just declared.
    func step(_ step: MatchScript.Step, home: String, away: String) {
        let score = "\(home) \(step.state.homeScore)–\(step.state.awayScore) \(away)"
        line("\(step.state.clock.padding(to: 18))\(score.padding(to: 28))\(step.state.lastEvent ?? "")")
    }

    private func write(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }

    /// The sequence that goes back to the first line of a board and clears all that follows.
    private static func erasing(_ lines: [String]) -> String {
        lines.isEmpty ? "" : "\u{1B}[\(lines.count)A\r\u{1B}[J"
    }

    private static func text(of lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }
}
