import PhoneSimulator

/// The declarations and the moments of kills, drawn from a seed.
package struct CrashScript: Sendable {
    /// The moment of a kill.
    package enum Moment: Sendable, Hashable, CustomStringConvertible {
        /// After this many pushes of the round.
        case pushes(Int)
        /// After this many starts of the round.
        case starts(Int)
        /// This many milliseconds after the calls began: around the moment at which they are accepted.
        case afterCalls(Int)
        /// This many milliseconds after the restarted server was ready. Nothing new is declared.
        case afterRestart(Int)

        package var description: String {
            switch self {
            case .pushes(let count): "after \(count) pushes"
            case .starts(let count): "after \(count) starts"
            case .afterCalls(let milliseconds): "\(milliseconds) ms after the calls began"
            case .afterRestart(let milliseconds): "\(milliseconds) ms after it was back"
            }
        }
    }

    /// A round, from its declarations to the kill.
    package struct Round: Sendable {
        /// The phones on which a card is started; nil if nothing is declared.
        package var wave: Range<Int>?
        /// Whether the round ends the cards for everyone instead of updating them.
        package var ends = false
        package var moment: Moment
        /// Whether each card must show the state before the next round. Otherwise the next round supersedes it.
        package var isAwaited: Bool
    }

    /// The numbers of the phones with a running card from the beginning.
    package let running: Range<Int>
    package let rounds: [Round]

    /// Draws a script.
    ///
    /// - Parameters:
    ///   - tokens: the number of phones. Half of them get their card by a start.
    ///   - kills: one for each round, 2 or more, and at most half of the tokens, so that each wave has a phone.
    package init(tokens: Int, kills: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed, name: "crash")
        let running = 1..<(1 + tokens - tokens / 2)
        let kinds = (0..<kills).map { round in
            // The first round must start cards, and the last one is the end.
            round == 0 || round == kills - 1 ? round % 2 * 2 : Int.random(in: 0..<10, using: &random)
        }
        let waves = kinds.dropLast().count { $0 < 9 }
        let size = tokens / 2 / waves
        var next = running.upperBound
        self.running = running
        rounds = kinds.enumerated().map { index, kind in
            let isLast = index == kills - 1
            let wave = isLast ? next..<next : next..<next + size
            let isAwaited = Bool.random(using: &random)
            let moment: Moment =
                switch kind {
                case 0..<5: .pushes(Int.random(in: 1...running.count * 9 / 10, using: &random))
                case 5..<7: .starts(Int.random(in: 1...max(1, size * 9 / 10), using: &random))
                case 7..<9: .afterCalls(Int.random(in: 0..<60, using: &random))
                default: .afterRestart(Int.random(in: 0..<1_500, using: &random))
                }
            if case .afterRestart = moment { return Round(wave: nil, moment: moment, isAwaited: isAwaited) }
            next = wave.upperBound
            return Round(wave: wave, ends: isLast, moment: moment, isAwaited: isAwaited || isLast)
        }
    }

    /// All phones.
    package var phones: Range<Int> {
        running.lowerBound..<(rounds.compactMap(\.wave?.upperBound).max() ?? running.upperBound)
    }
}
