/// An activity in the terms of Insider's API: registered with its users, then started once, then over. Its cards belong
/// to an ``Activity`` of the same name.
package struct InsiderActivity: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// Users may still be added and removed.
        case registered
        case started
        /// No call can address it any more, although its cards may still be there.
        case dead
    }

    package var app: AppID
    /// A UUID that the server made, or the name of a card that began on a phone.
    package var id: String
    package var type: String
    /// External ids, in the order in which they were added.
    package var users: [String]
    package var state: State
    /// When it is over in any case.
    package var endsAt: Instant
    /// The generation of its name that was ended together with it; 0 if none was.
    package var endedGeneration = 0

    /// The most users in one call, and in all.
    package static let userLimit = 10_000

    package init(
        app: AppID, id: String, type: String, users: [String] = [], state: State = .registered, endsAt: Instant
    ) {
        self.app = app
        self.id = id
        self.type = type
        self.users = users
        self.state = state
        self.endsAt = endsAt
    }

    /// Whether it is over and a later generation of its name runs. Calls can address that generation.
    ///
    /// - Parameter newest: the newest generation of its name.
    package func isRevived(by newest: Activity?, at now: Instant) -> Bool {
        guard let newest, !newest.isEnded else { return false }
        return switch state {
        case .dead: newest.generation > endedGeneration
        case .registered, .started: endsAt <= now && newest.createdAt >= endsAt
        }
    }
}

/// The state that Insider's API needs beside Eyot's own. No other vendor's API needs any.
package protocol InsiderLedger: AnyObject {
    func insiderActivity(_ id: String, in app: AppID) throws -> InsiderActivity?
    /// Ids above `id` of activities with a user id that contains a text, in order. It reads all of the app's
    /// activities. Some results may contain the text in other letter case.
    func insiderActivities(naming user: String, in app: AppID, after id: String, limit: Int) throws -> [String]
    /// Stores an activity in place of the former one with that id.
    func put(_ activity: InsiderActivity) throws
    /// Removes activities that were over before a moment, oldest first, up to a limit.
    func forgetInsiderActivities(endedBefore moment: Instant, limit: Int) throws
}
