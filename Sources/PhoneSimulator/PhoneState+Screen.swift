import Foundation

/// The person's view.
extension PhoneState {
    /// The card that the Dynamic Island shows: of the running ones the most relevant, and of several the one that began
    /// first. Nil too on a phone without one.
    public var leadingCard: SimulatedCard? {
        configuration.hasDynamicIsland ? lockScreen.first { $0.phase != .ended } : nil
    }

    /// The cards on the Lock Screen, topmost first: the most relevant, and of equals the one that began first.
    public var lockScreen: [SimulatedCard] {
        let visible = cards.filter { $0.phase == .active || $0.phase == .stale || $0.phase == .ended }
        return visible.sorted { left, right in
            if rules.endedCardsGoLast, (left.phase == .ended) != (right.phase == .ended) {
                return right.phase == .ended
            }
            let (leftScore, rightScore) = (left.content.relevanceScore, right.content.relevanceScore)
            guard leftScore == rightScore else { return leftScore > rightScore }
            return (left.startedAt, left.number) < (right.startedAt, right.number)
        }
    }

    // MARK: How often it changes

    /// When a card's newest content can appear on the screen, if it is not there yet. It waits for an interval after
    /// the previous content.
    func renderMoment(of card: SimulatedCard) -> Date? {
        guard card.shown.content != card.content, card.phase != .dismissed else { return nil }
        return card.shown.since.addingTimeInterval(configuration.os >= .slowerRendering ? rules.renderInterval : 0)
    }

    /// Puts the newest content of a card on the screen, if that is possible by now.
    ///
    /// - Parameter change: when the content arrived, if it arrived just now.
    mutating func render(cardAt index: Int, after change: Date = .distantPast) {
        if cards[index].phase == .pending {
            cards[index].shown.content = cards[index].content
            return
        }
        guard let moment = renderMoment(of: cards[index]), moment <= time else { return }
        cards[index].shown = ShownContent(
            content: cards[index].content, since: max(moment, change), count: cards[index].shown.count + 1)
    }
}
