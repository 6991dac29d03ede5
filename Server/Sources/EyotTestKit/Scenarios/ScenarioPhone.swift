import EyotContract
import EyotDomain

/// As much of a phone as a scenario needs: cards, tokens, and the order of timestamps.
struct ScenarioPhone {
    struct ScenarioCard {
        var instance: String
        var name: String
        var token: PushToken?
        var state: Int?
        var isEnded = false
        var isDismissed = false
        var timestamp = 0.0
    }

    var device: DeviceID
    var sequence = 0
    var startToken: PushToken?
    /// Whether a remotely started card gets its token at once.
    var allows = true
    /// What a remotely started card is called by the app.
    var cards: [ScenarioCard] = []

    /// Applies a push, as far as iOS would: newer seconds only, nothing after the end.
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

    /// What a person sees, one word a card: `match=3`, `match=3 ended`.
    var screen: String {
        cards.map { card in
            let state = "\(card.name)=\(card.state.map(String.init) ?? "-")"
            return state + (card.isDismissed ? " dismissed" : card.isEnded ? " ended" : "")
        }.joined(separator: ", ")
    }
}
