/// How a card follows a channel of its activity.
package enum Following: Sendable, Hashable {
    /// It has a token, or will have one.
    case none
    /// Its start named this edition of the channel; see ``Channel/edition``. It is reached by broadcasts alone.
    case channel(edition: Int)
    /// Apple no longer has the channel that its start named. Only the app itself can bring its card up to date.
    case lostChannel
}

extension Replica {
    /// Whether its remote start named a channel that still exists. It has no token and is reached by broadcasts.
    package var isFollowing: Bool {
        if case .channel = following { true } else { false }
    }

    package var hasLostChannel: Bool { following == .lostChannel }

    /// Records that Apple no longer has the edition of the channel that it follows, if that is so.
    ///
    /// - Returns: whether that is news.
    package mutating func leave(_ channel: Channel) -> Bool {
        guard phase == .waitingForToken, case .channel(let edition) = following, edition < channel.edition else {
            return false
        }
        following = .lostChannel
        return true
    }
}
