import EyotContract
import EyotDomain

/// A minimal phone for scenarios: cards, tokens, and the order of timestamps.
struct ScenarioPhone {
    struct ScenarioCard {
        var instance: String
        var name: String
        var token: PushToken?
        var state: Int?
        var isEnded = false
        var isDismissed = false
        /// Whether the app has found the card when it was opened.
        var isFollowed = false
        var timestamp = 0.0
    }

    var device: DeviceID
    var sequence = 0
    var startToken: PushToken?
    /// Whether a remotely started card gets its token at once.
    var allows = true
    /// The cards, in the order in which they appeared.
    var cards: [ScenarioCard] = []

    /// Adds a card that appears.
    ///
    /// - Parameter state: the state of the start by a push; nil for a card that the app starts.
    mutating func add(_ name: String, on phone: String, state: Int?, at now: Instant) {
        cards.append(
            .init(
                instance: "\(phone).\(cards.count + 1)", name: name, state: state,
                timestamp: state == nil ? 0 : Double(now.second)))
    }

    /// Applies a push as iOS does: only newer seconds, and nothing after the end.
    mutating func show(_ state: Int?, ends: Bool, timestamp: Double, on token: PushToken) {
        guard let index = cards.firstIndex(where: { $0.token == token }) else { return }
        show(state, ends: ends, timestamp: timestamp, at: index)
    }

    mutating func show(_ state: Int?, ends: Bool, timestamp: Double, at index: Int) {
        guard timestamp > cards[index].timestamp, !cards[index].isEnded, !cards[index].isDismissed else { return }
        cards[index].timestamp = timestamp
        cards[index].state = state ?? cards[index].state
        cards[index].isEnded = ends
    }

    /// The visible cards, one word each: `match=3`, `match=3 ended`.
    var screen: String {
        cards.map { card in
            let state = "\(card.name)=\(card.state.map(String.init) ?? "-")"
            return state + (card.isDismissed ? " dismissed" : card.isEnded ? " ended" : "")
        }.joined(separator: ", ")
    }
}
