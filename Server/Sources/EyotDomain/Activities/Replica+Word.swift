extension Replica {
    /// The phase in one word, for display and for counting. A card that a push started has no token before the user has
    /// tapped Allow. A card that follows a channel never has one, and none reaches it when the channel is lost.
    package var word: String {
        switch phase {
        case .starting: Self.startingWord
        case .waitingForToken:
            switch following {
            case .channel: "followingChannel"
            case .lostChannel: "channelLost"
            case .none: startsAt == nil ? "waitingForToken" : "waitingForAllow"
            }
        case .live: "live"
        case .ended: "ended"
        case .dismissed: "dismissed"
        case .dead(let death): death.isQuarantine ? "quarantined" : "dead"
        case .unlisted: "unlisted"
        case .notStarted: "notStarted"
        case .untracked: "untracked"
        }
    }

    /// The word of a start that is planned or on its way.
    package static let startingWord = "starting"

    /// All the words, in the order of a card's life.
    package static let words = [
        "starting", "notStarted", "waitingForAllow", "waitingForToken", "followingChannel", "channelLost", "live",
        "untracked", "quarantined", "dead", "unlisted", "ended", "dismissed",
    ]

    /// The words of cards that run and can be brought up to date, now or once their tokens are there.
    package static let runningWords = ["waitingForAllow", "waitingForToken", "followingChannel", "live"]
}

extension Replica.Phase {
    /// Whether the card may be on the phone, as far as the phone itself has said.
    package var mayRun: Bool {
        switch self {
        case .starting, .waitingForToken, .live, .dead, .untracked: true
        case .ended, .dismissed, .unlisted, .notStarted: false
        }
    }
}
