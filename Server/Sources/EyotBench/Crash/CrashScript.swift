import PhoneSimulator

/// What is declared, and when the server is killed: all of it drawn from a seed.
package struct CrashScript: Sendable {
    /// When a server is killed.
    package enum Moment: Sendable, Hashable, CustomStringConvertible {
        /// After so many pushes of the round.
        case pushes(Int)
        /// After so many starts of the round.
        case starts(Int)
        /// So many milliseconds after the calls began: around the moment at which they are accepted.
        case afterCalls(Int)
        /// So many milliseconds after the server that took a dead one's place was there; nothing new is declared.
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

    /// From declarations to the kill.
    package struct Round: Sendable {
        /// Phones on which a card is started; nil where nothing is declared.
        package var wave: Range<Int>?
        /// Whether the card is ended for everyone, instead of updated.
        package var ends = false
        package var moment: Moment
        /// Whether everybody has to show the state before the next round, which overtakes it else.
        package var isAwaited: Bool
    }

    /// Phones whose card runs from the beginning: these numbers.
    package let running: Range<Int>
    package let rounds: [Round]

    /// - Parameters:
    ///   - tokens: phones; half of them get their card by a start.
    ///   - kills: one for each round, 2 or more, and no more than half of the tokens, so that each wave has a phone.
    package init(tokens: Int, kills: Int, seed: UInt64) {
        var random = SeededGenerator(seed: seed, name: "crash")
        let running = 1..<(1 + tokens - tokens / 2)
        let kinds = (0..<kills).map { round in
            // The first one has to be with cards to start, the last one is the end.
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
