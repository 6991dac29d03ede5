import EyotContract
import EyotLab
import PhoneSimulator

/// The scoreboard of a demo on a terminal: the score, how many phones show it, and why the others do not.
struct DemoBoard: Equatable {
    /// What a phone shows of the newest state, or the reason that it does not.
    enum Standing: CaseIterable {
        case shows, behind, offline, waitsForAllow, dismissed, hasNoCard

        /// The standing of a phone. A phone that is offline and up to date counts as showing the state.
        init(of phone: PhoneState, state: JSONValue) {
            guard let card = phone.cards.first else {
                self = phone.isOnline ? .hasNoCard : .offline
                return
            }
            self =
                if card.phase == .dismissed {
                    .dismissed
                } else if card.content.state.isSame(as: state) {
                    .shows
                } else if !phone.isOnline {
                    .offline
                } else if card.updateToken == nil {
                    .waitsForAllow
                } else {
                    .behind
                }
        }

        fileprivate var words: String {
            switch self {
            case .shows: "show it"
            case .behind: "behind"
            case .offline: "offline"
            case .waitsForAllow: "wait for Allow"
            case .dismissed: "dismissed"
            case .hasNoCard: "without a card"
            }
        }

        fileprivate var style: Terminal.Style {
            switch self {
            case .shows: .green
            case .behind: .yellow
            case .offline, .waitsForAllow, .dismissed, .hasNoCard: .faint
            }
        }
    }

    let score: String
    let event: String
    var counts: [Standing: Int]

    init(home: String, away: String, step: MatchScript.Step, phones: [PhoneState]) {
        score = "\(step.state.clock)  \(home) \(step.state.homeScore)–\(step.state.awayScore) \(away)"
        event = step.state.lastEvent ?? ""
        let state = step.state.json
        counts = phones.reduce(into: [:]) { $0[Standing(of: $1, state: state), default: 0] += 1 }
    }

    /// The lines of the board, without the end of line.
    func lines(on terminal: Terminal) -> [String] {
        let total = max(1, counts.values.reduce(0, +))
        let width = min(60, (terminal.width ?? 80) - 1)
        let standings = Standing.allCases.filter { counts[$0, default: 0] > 0 }
        var bar = ""
        var (filled, passed) = (0, 0)
        for standing in standings {
            passed += counts[standing, default: 0]
            let end = width * passed / total
            let sign = standing == .shows ? "█" : standing == .behind ? "▓" : "░"
            bar += terminal.styled(String(repeating: sign, count: end - filled), standing.style)
            filled = end
        }
        let words = standings.map { standing in
            terminal.styled("\(counts[standing, default: 0]) \(standing.words)", standing.style)
        }
        return [
            terminal.styled("\(score)   \(event)".cut(to: (terminal.width ?? 80) - 1), .bold), bar,
            words.joined(separator: ", "),
        ]
    }
}
