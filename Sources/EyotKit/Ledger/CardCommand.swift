import EyotContract

/// A command to the task that follows a card. The card itself never leaves that task.
enum CardCommand: Sendable {
    /// Show this state, which the server answered, in this history; nil if the answer named none.
    case show(CardState, history: String?)
    /// End the card and remove it from the Lock Screen.
    case removeNow
}

/// The data that the follower of a card needs.
struct Lead: Sendable {
    /// The number of this following of the card.
    let number: Int
    let commands: AsyncStream<CardCommand>
    let origin: CardOrigin
    /// The state that the card showed when the following began.
    let shown: StateDigest?
    /// Whether the app has prepared for the card, or need not.
    let isPrepared: Bool
    /// Whether the server never had a token of the card, and one is expected.
    let awaitsToken: Bool
}

/// The stage of a card's life: ActivityKit's `ActivityState` without its differences between versions.
public enum CardStage: String, Sendable, Hashable, CaseIterable {
    /// Scheduled and not begun (iOS 26).
    case pending
    /// Shown and up to date.
    case active
    /// Shown, past its stale date.
    case stale
    /// Still visible; accepts no more updates.
    case ended
    /// Gone from view.
    case dismissed

    /// Seconds within which an ended card left the screen in the moment of its end. No person swipes twice that fast.
    static let moment = 1.0

    /// Seconds ahead of the phone's clock for an end, if the card shows something newer than that clock. The system
    /// accepts nothing that is more than eight hours ahead.
    static let endLead = 27_000.0

    /// Whether the card still accepts changes.
    public var isRunning: Bool {
        switch self {
        case .pending, .active, .stale: true
        case .ended, .dismissed: false
        }
    }

    /// Returns the event that is reported when a card reaches this stage; nil for none.
    ///
    /// An end by the SDK is reported where it is made, and a stage after it is no swipe. Only a running card can be
    /// swiped away as far as the SDK can tell, because an ended card also disappears by itself. It is unknown whether a
    /// swipe of a running card shows as `dismissed` alone, or as `ended` directly before it.
    ///
    /// - Parameters:
    ///   - isGone: whether a card that ended left the screen in the same moment.
    ///   - isExplained: whether the app announced the end or the person switched Live Activities off. No person removed
    ///     the card then (R13).
    func event(isEndOurs: Bool, isGone: Bool = false, isExplained: Bool = false) -> CardEvent? {
        guard !isEndOurs else { return nil }
        return switch self {
        case .pending, .active: nil
        case .stale: .stale
        case .ended: isGone && !isExplained ? .vanished : .ended
        case .dismissed: isExplained ? .ended : .dismissed
        }
    }
}

/// The state that the SDK has shown on a card last. Versions order the states of one history of the server, and the
/// server's seconds those of different ones (R17).
struct ShownState: Sendable, Equatable {
    var version = 0
    var timestamp = -Double.infinity
    var history: String?

    /// Whether a state is newer.
    func isOlder(than state: CardState, in history: String?) -> Bool {
        history == self.history || timestamp == -.infinity
            ? state.version > version : state.version > 0 && state.timestamp > timestamp
    }
}
