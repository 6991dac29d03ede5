import APNSSimulator
import APNSWire
import EyotContract
import EyotDomain
import Foundation
import Synchronization

/// The phones of a race. They record the age of each card's state when a newer one came.
final class RaceTrack: PushReceiver {
    /// The records since they were last taken.
    struct Notes {
        /// The state ages of healthy cards in seconds, taken when a newer state came, or at the end. A card is healthy
        /// if its last push was not chosen to stall.
        var healthy: [Double] = []
        /// The same ages of the other cards.
        var stalled: [Double] = []
        /// The pushes that were chosen to get no answer.
        var stalls = 0
        /// The pushes that got no answer and were not chosen. They show that the machine is too slow.
        var unplanned = 0
        /// The cards with valid tokens that did not show the newest state at the end.
        var behind = 0
        /// The most pushes that came with an older state after a newer one was declared.
        var mostOlder = 0
    }

    private struct State {
        var notes = Notes()
        /// The moment of each declaration, by number. The first is what cards show from the beginning.
        var declared: [Instant] = []
        /// The state that each card shows.
        var shown: [Int]
        var isStalled: [Bool]
        /// The share of pushes that get no answer.
        var shareOfStalls = 0.0
        /// The cards with a push on its way that was chosen to get no answer.
        var open: Set<Int> = []
        var hitsOfDead: [Int: Int] = [:]
        var older = 0

        /// Records the age of a card that is behind, from the first state that it missed.
        mutating func noteAge(of card: Int, at now: Instant) {
            let age = now.seconds(since: declared[shown[card]])
            if isStalled[card] { notes.stalled.append(age) } else { notes.healthy.append(age) }
        }
    }

    private let clock: FastClock
    /// The cards by the first bytes of their tokens, which are unique.
    private let numbers: [UInt32: Int]
    private let deadFrom: Int
    private let state: Mutex<State>
    private let lastRead = Mutex<(payload: [UInt8], number: Int?)>(([], nil))

    /// Makes the phones.
    ///
    /// - Parameter dead: the number of cards with a token that Apple no longer accepts.
    init(replicas: Int, dead: Int, clock: FastClock) {
        self.clock = clock
        deadFrom = replicas - dead + 1
        numbers = Dictionary(
            uniqueKeysWithValues: (1...replicas).map { number in
                (Self.key(BenchStore.token(number)), number)
            })
        state = Mutex(
            State(
                shown: Array(repeating: 0, count: replicas + 1),
                isStalled: Array(repeating: false, count: replicas + 1)))
    }

    /// Sets the share of later pushes that get no answer.
    func stall(_ share: Double) { state.withLock { $0.shareOfStalls = share } }

    /// Records that a state is about to be declared.
    ///
    /// - Returns: its number.
    func declare() -> Int {
        let now = clock.now
        return state.withLock { state in
            state.declared.append(now)
            state.older = 0
            return state.declared.count
        }
    }

    /// The number of pushes to each dead token.
    var hitsOfDead: [Int] { state.withLock { Array($0.hitsOfDead.values) } }

    /// Takes the records, including the present ages of cards that are behind.
    func take() -> Notes {
        let now = clock.now
        return state.withLock { state in
            defer { state.notes = Notes() }
            for card in 1..<deadFrom where state.shown[card] < state.declared.count {
                state.noteAge(of: card, at: now)
                state.notes.behind += 1
            }
            return state.notes
        }
    }

    func receive(_ push: ReceivedPush) -> PushReception {
        // Thousands of cards get the same payload.
        let known = lastRead.withLock { $0.payload == push.payload ? $0.number : nil }
        guard let number = known ?? CrowdPush(push.payload)?.number else { return .refused(.badDeviceToken) }
        if known == nil { lastRead.withLock { $0 = (push.payload, number) } }
        return receive(number, at: push.token)
    }

    /// Receives a push with the state of this number.
    func receive(_ number: Int, at token: PushToken) -> PushReception {
        let now = clock.now
        guard let card = numbers[Self.key(token.bytes)] else { return .refused(.badDeviceToken) }
        return state.withLock { state in
            if state.shareOfStalls > 0, Double.random(in: 0..<1) < state.shareOfStalls {
                state.notes.stalls += 1
                state.isStalled[card] = true
                state.open.insert(card)
                return .unanswered
            }
            guard card < deadFrom else {
                state.hitsOfDead[card, default: 0] += 1
                return .refused(.expiredToken, deadSince: now.date)
            }
            if number < state.declared.count {
                state.older += 1
                state.notes.mostOlder = max(state.notes.mostOlder, state.older)
            }
            guard number > state.shown[card] else { return .accepted }
            state.noteAge(of: card, at: now)
            state.isStalled[card] = false
            state.shown[card] = number
            return .accepted
        }
    }

    private static func key(_ token: [UInt8]) -> UInt32 { token.prefix(4).reduce(0) { $0 << 8 | UInt32($1) } }

    /// Records pushes without an answer. A card that was not chosen is healthy again, because Apple did not cause it.
    fileprivate func unanswered(_ tokens: [PushToken]) {
        state.withLock { state in
            for card in tokens.compactMap({ numbers[Self.key($0.bytes)] }) where state.open.remove(card) == nil {
                state.notes.unplanned += 1
                state.isStalled[card] = false
            }
        }
    }
}

/// A pusher that passes pages on and reports pushes without an answer to the phones.
struct TrackedPusher: Pusher {
    let track: RaceTrack
    let sender: any Pusher

    func push(
        _ page: PushPage, with key: PushCredentials, early: (@Sendable (PageVerdicts) -> Void)?
    ) async -> PageVerdicts {
        let verdicts = await sender.push(page, with: key, early: early)
        track.unanswered(
            verdicts.verdicts.indices.filter { verdicts.verdicts[$0] == .unknown }
                .compactMap { PushToken(bytes: page.token(at: $0)) })
        return verdicts
    }
}
