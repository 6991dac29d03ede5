/// What is to be seen of a phone at a glance. The order is that of the legend.
enum WallMark: String, Sendable, CaseIterable {
    /// Each card shows the newest state.
    case shown
    /// A card shows an older state.
    case behind
    /// The phone dropped a state, because the app cannot decode it.
    case undecodable
    /// A card gets no updates before the person presses Allow.
    case waiting
    /// Neither pushes nor calls get through.
    case offline
    /// The person swiped the card away.
    case dismissed
    /// The person has switched Live Activities off for the app, so the phone shows none.
    case off
    /// The activity has ended.
    case ended
    /// The phone has no card.
    case empty

    /// The mark in the words of the legend, after a number of phones.
    var title: String {
        switch self {
        case .shown: "up to date"
        case .behind: "behind"
        case .undecodable: "cannot decode"
        case .waiting: "wait for Allow"
        case .offline: "offline"
        case .dismissed: "dismissed"
        case .off: "off in Settings"
        case .ended: "ended"
        case .empty: "no card"
        }
    }

    /// The mark in words, after the name of a phone.
    var sentence: String {
        switch self {
        case .shown: "shows the newest state"
        case .behind: "is behind"
        case .undecodable: "cannot decode the newest state"
        case .waiting: "waits for Allow"
        case .offline: "is offline"
        case .dismissed: "has dismissed the card"
        case .off: "has Live Activities off in Settings"
        case .ended: "shows the end"
        case .empty: "has no card yet"
        }
    }

    /// How much a card with this mark matters among the cards of one phone.
    var weight: Int {
        switch self {
        case .undecodable: 5
        case .waiting: 4
        case .behind: 3
        case .shown: 2
        case .ended: 1
        case .offline, .dismissed, .off, .empty: 0
        }
    }
}
