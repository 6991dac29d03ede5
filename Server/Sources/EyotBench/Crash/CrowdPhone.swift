import APNSWire
import EyotContract

/// The relevant content of a push.
package struct CrowdPush: Sendable, Hashable {
    package var event: LiveActivityEvent
    /// The declaration's number, which the state contains.
    package var number: Int
    /// The push's `timestamp`.
    package var second: Int

    package init(event: LiveActivityEvent, number: Int, second: Int) {
        self.event = event
        self.number = number
        self.second = second
    }

    /// Nil if the payload is not one that the server should send.
    package init?(_ payload: [UInt8]) {
        guard let aps = (try? JSONValue(parsing: payload))?.object?[LiveActivityKey.aps]?.object,
            let event = aps[LiveActivityKey.event]?.string.flatMap(LiveActivityEvent.init(rawValue:)),
            let number = aps[LiveActivityKey.contentState]?.object?["n"]?.integer,
            let second = aps[LiveActivityKey.timestamp]?.integer
        else { return nil }
        self.init(event: event, number: number, second: second)
    }
}

/// A phone with one card, reduced to the data that shows lost and repeated pushes. The newest timestamp wins, as on an
/// iPhone.
package struct CrowdPhone: Sendable, Hashable {
    /// The effect of a push on the phone.
    package enum Reception: Sendable, Hashable {
        case new
        /// The push repeats the content of an earlier one.
        case repeated
        /// A later push came before it, which is allowed over two connections.
        case late
        /// The push has the same second as an earlier one (R7).
        case sameSecond
        /// The push has the newest timestamp and an older state, so the card would go back.
        case backwards
    }

    /// The number of pushes that started a card.
    package private(set) var starts = 0
    /// The declaration that the card shows; 0 for its first state.
    package private(set) var shown = 0
    package private(set) var isEnded = false
    /// Whether the server has the card's token.
    package var hasReported: Bool
    /// The newest timestamp.
    private var moment = 0.0
    /// The newest declaration that a push has brought.
    private var pushed = 0

    /// Makes a phone.
    ///
    /// - Parameter isRunning: whether its card runs, with a token that the server has.
    package init(isRunning: Bool) { hasReported = isRunning }

    package var hasCard: Bool { hasReported || starts > 0 }

    package mutating func take(_ push: CrowdPush) -> Reception {
        if push.event == .start { starts += 1 }
        guard Double(push.second) > moment else { return Double(push.second) == moment ? .sameSecond : .late }
        guard push.number >= shown else { return .backwards }
        let isRepetition = push.number == pushed
        moment = Double(push.second)
        (shown, pushed, isEnded) = (push.number, push.number, isEnded || push.event == .end)
        return isRepetition ? .repeated : .new
    }

    /// Applies the server's answer to the phone's report.
    package mutating func take(_ state: CardState) {
        guard state.timestamp > moment, let number = state.contentState?.object?["n"]?.integer else { return }
        (moment, shown, isEnded) = (state.timestamp, number, isEnded || state.ends)
    }
}
