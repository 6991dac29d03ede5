import EyotContract

/// What the task that follows a card is told to do with it. The card itself never leaves that task.
enum CardCommand: Sendable {
    /// Bring it to this state, which the server answered.
    case show(CardState)
    /// End it and take it off the Lock Screen.
    case removeNow
}

/// What the follower of a card has to know.
struct Lead: Sendable {
    /// Which following of the card it is.
    let number: Int
    let commands: AsyncStream<CardCommand>
    let origin: CardOrigin
    /// Whether the app need not prepare for it, or has.
    let isPrepared: Bool
    /// Whether the server has never had a token of the card, and one is on its way.
    let awaitsToken: Bool
}

/// How far a card's life has come; ActivityKit's `ActivityState`, without its versions.
public enum CardStage: String, Sendable, Hashable, CaseIterable {
    /// Scheduled and not begun (iOS 26).
    case pending
    /// Shown and up to date.
    case active
    /// Shown, past its stale date.
    case stale
    /// Still visible, takes no more updates.
    case ended
    /// Gone from view.
    case dismissed

    /// Seconds within which an ended card has gone in the moment of its end. Nobody swipes twice that fast.
    static let moment = 1.0

    /// Seconds ahead of the phone's clock that an end is given where the card shows something newer than that clock. More than eight
    /// hours ahead nothing is taken.
    static let endLead = 27_000.0

    /// Whether it still takes changes.
    public var isRunning: Bool {
        switch self {
        case .pending, .active, .stale: true
        case .ended, .dismissed: false
        }
    }

    /// What the server is told when a card comes to this stage, nil for nothing.
    ///
    /// An end of ours is told where it is made, and what follows it is no swipe. Only a card that was running can be
    /// swiped away as far as the SDK can tell: one that had ended goes by itself as well. Whether a swipe of a running card
    /// shows as `dismissed` alone, or as `ended` directly before it, nobody has told.
    ///
    /// - Parameter isGone: whether a card that ended went from view in the same moment.
    func event(isEndOurs: Bool, isGone: Bool = false) -> CardEvent? {
        guard !isEndOurs else { return nil }
        return switch self {
        case .pending, .active: nil
        case .stale: .stale
        case .ended: isGone ? .vanished : .ended
        case .dismissed: .dismissed
        }
    }
}
