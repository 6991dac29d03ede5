import APNSSimulator
import APNSWire
import EyotContract
import EyotDomain
import Foundation
import Synchronization

/// The phones of a race: how old each one's state was when a newer one came.
final class RaceTrack: PushReceiver {
    /// What was seen since the last time.
    struct Notes {
        /// For how many seconds healthy cards had been behind, each time when a newer state came, and at the end if none did: those
        /// whose last push was not to stall.
        var healthy: [Double] = []
        /// The same of the others.
        var stalled: [Double] = []
        /// Pushes that were to get no answer.
        var stalls = 0
        /// Pushes that got none though they were to have one: the machine is too slow.
        var unplanned = 0
        /// Cards, dead ones left out, that did not show the newest state at the end.
        var behind = 0
        /// The most pushes that came with an older state after a newer one was declared.
        var mostOlder = 0
    }

    private struct State {
        var notes = Notes()
        /// When each state was declared, by its number; the first one is what cards have from the beginning.
        var declared: [Instant] = []
        /// What each card shows.
        var shown: [Int]
        var isStalled: [Bool]
        /// The share of the pushes that gets no answer.
        var shareOfStalls = 0.0
        /// Whose push is on its way that is to get no answer.
        var open: Set<Int> = []
        var hitsOfDead: [Int: Int] = [:]
        var older = 0

        /// Of a card that is behind: since the first state that it missed.
        mutating func noteAge(of card: Int, at now: Instant) {
            let age = now.seconds(since: declared[shown[card]])
            if isStalled[card] { notes.stalled.append(age) } else { notes.healthy.append(age) }
        }
    }

    private let clock: FastClock
    /// By the first bytes of their tokens, which no two share.
    private let numbers: [UInt32: Int]
    private let deadFrom: Int
    private let state: Mutex<State>
    private let lastRead = Mutex<(payload: [UInt8], number: Int?)>(([], nil))

    /// - Parameter dead: so many of the cards have a token that Apple does not take any more.
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

    /// From now on this share of the pushes gets no answer.
    func stall(_ share: Double) { state.withLock { $0.shareOfStalls = share } }

    /// A state is about to be declared.
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

    /// How often each dead token was pushed to.
    var hitsOfDead: [Int] { state.withLock { Array($0.hitsOfDead.values) } }

    /// What was seen since the last time, with the ages that cards have now which are behind.
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
        // Thousands of cards get the same one.
        let known = lastRead.withLock { $0.payload == push.payload ? $0.number : nil }
        guard let number = known ?? CrowdPush(push.payload)?.number else { return .refused(.badDeviceToken) }
        if known == nil { lastRead.withLock { $0 = (push.payload, number) } }
        return receive(number, at: push.token)
    }

    /// A push has brought the state of this number.
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

    /// Pushes to these tokens got no answer. Where that was not decided the card is healthy: what follows is not Apple's doing.
    fileprivate func unanswered(_ tokens: [PushToken]) {
        state.withLock { state in
            for card in tokens.compactMap({ numbers[Self.key($0.bytes)] }) where state.open.remove(card) == nil {
                state.notes.unplanned += 1
                state.isStalled[card] = false
            }
        }
    }
}

/// Hands pages on, and tells the phones which pushes had no answer.
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
