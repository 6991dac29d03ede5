import Foundation

/// A simulated phone's facts, as seen by an app that repeats a recording's actions.
public struct RecordingReplay: Sendable, Hashable {
    /// A fact that the simulated phone yielded. Cards have the recording's ids if the recording has the card, too.
    public struct Fact: Sendable, Hashable {
        /// When.
        public var moment: Date
        /// Which launch of the app saw it, from 1; 0 before the first.
        public var launch: Int
        /// The fact.
        public var fact: RecordedFact
    }

    /// The facts, in order.
    public internal(set) var facts: [Fact] = []
    /// The effects of the pushes, by the numbers of their lines.
    public internal(set) var effects: [Int: PushEffect] = [:]
    /// Which launch of the app each line of the recording belongs to, by its index.
    public internal(set) var launches: [Int] = []
    /// Cards of the recording that the simulated phone does not have. They began before it, or by a push that the phone
    /// ignored.
    public internal(set) var strangers: Set<String> = []

    init() {}

    /// Plays a recording to a phone with these rules.
    ///
    /// - Parameter os: another version of iOS than the recording's.
    public init(of recording: Recording, under rules: PhoneRules = PhoneRules(), os: IOSVersion? = nil) {
        var player = RecordingPlayer(recording, rules, os: os ?? recording.head.os)
        player.play()
        self = player.replay
        strangers = player.strangers
        let names = player.names
        for index in facts.indices { facts[index].fact = facts[index].fact.naming { names[$0] ?? $0 } }
    }
}

extension RecordedFact {
    /// The same with other names of cards.
    func naming(_ name: (String) -> String) -> RecordedFact {
        switch self {
        case .granted(let request, let card, let hasToken):
            .granted(request: request, card: name(card), hasToken: hasToken)
        case .there(let type, let cards): .there(type: type, cards: cards.map(name))
        case .card(let type, let card): .card(type: type, card: name(card))
        case .phase(let card, let phase): .phase(card: name(card), phase)
        case .content(let card, let content): .content(card: name(card), content)
        case .token(let card, let token): .token(card: name(card), token)
        case .over(.phases(let card)): .over(.phases(card: name(card)))
        case .over(.contents(let card)): .over(.contents(card: name(card)))
        case .over(.tokens(let card)): .over(.tokens(card: name(card)))
        case .refused, .startToken, .activitiesEnabled, .frequentPushesEnabled, .over, .woken, .other: self
        }
    }
}
