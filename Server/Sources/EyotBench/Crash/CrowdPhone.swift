import APNSWire
import EyotContract

/// What a push says, as far as it matters here.
package struct CrowdPush: Sendable, Hashable {
    package var event: LiveActivityEvent
    /// The declaration's number, which its state carries.
    package var number: Int
    /// `timestamp`.
    package var second: Int

    package init(event: LiveActivityEvent, number: Int, second: Int) {
        self.event = event
        self.number = number
        self.second = second
    }

    /// Nil where the payload is not what the server was told to send.
    package init?(_ payload: [UInt8]) {
        guard let aps = (try? JSONValue(parsing: payload))?.object?[LiveActivityKey.aps]?.object,
            let event = aps[LiveActivityKey.event]?.string.flatMap(LiveActivityEvent.init(rawValue:)),
            let number = aps[LiveActivityKey.contentState]?.object?["n"]?.integer,
            let second = aps[LiveActivityKey.timestamp]?.integer
        else { return nil }
        self.init(event: event, number: number, second: second)
    }
}

/// A phone with one card, reduced to what tells whether a push was lost or came twice. The newest timestamp wins, as it does on an
/// iPhone.
package struct CrowdPhone: Sendable, Hashable {
    /// What a push was to the phone.
    package enum Reception: Sendable, Hashable {
        case new
        /// It brought what an earlier one had brought.
        case repeated
        /// A later one had come before it, as it may where two connections carry them.
        case late
        /// It carried a second that an earlier one had carried (R7).
        case sameSecond
        /// Its timestamp is the newest, its state is not: the card would go back.
        case backwards
    }

    /// Pushes that started a card.
    package private(set) var starts = 0
    /// What the card shows: the number of a declaration; 0 is what it was there with.
    package private(set) var shown = 0
    package private(set) var isEnded = false
    /// Whether the server has taken the card's token.
    package var hasReported: Bool
    /// The newest timestamp.
    private var moment = 0.0
    /// The newest that a push has brought.
    private var pushed = 0

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

    /// Takes in what the server answered to its report.
    package mutating func take(_ state: CardState) {
        guard state.timestamp > moment, let number = state.contentState?.object?["n"]?.integer else { return }
        (moment, shown, isEnded) = (state.timestamp, number, isEnded || state.ends)
    }
}
