/// An activity as Insider's API has it: registered with its people first, then started once, then over. What its cards show is an
/// ``Activity`` like any other, under the same name.
package struct InsiderActivity: Sendable, Hashable {
    package enum State: String, Sendable, Hashable, CaseIterable {
        /// People may still be added and removed.
        case registered
        case started
        /// Nobody can speak of it any more, though cards may still be there.
        case dead
    }

    package var app: AppID
    /// A UUID that the server made, or the name of a card that began on a phone.
    package var id: String
    package var type: String
    /// External ids, in their order.
    package var users: [String]
    package var state: State
    /// When it is over whatever is said.
    package var endsAt: Instant
    /// The generation of its name that was ended, where that has said it is over; 0 where none was.
    package var endedGeneration = 0

    /// People in one call, and in all.
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

    /// Whether it is over, and a later generation of its name runs: that one can be spoken of.
    ///
    /// - Parameter newest: of its name.
    package func isRevived(by newest: Activity?, at now: Instant) -> Bool {
        guard let newest, !newest.isEnded else { return false }
        return switch state {
        case .dead: newest.generation > endedGeneration
        case .registered, .started: endsAt <= now && newest.createdAt >= endsAt
        }
    }
}

/// The one state that a vendor's API needs beside ours.
package protocol InsiderLedger: AnyObject {
    func insiderActivity(_ id: String, in app: AppID) throws -> InsiderActivity?
    /// Those above `id` whose users hold a text, in order of their ids. It reads all of the app's; some may hold it in other letters.
    func insiderActivities(naming user: String, in app: AppID, after id: String, limit: Int) throws -> [String]
    /// Takes the place of what had the id before.
    func put(_ activity: InsiderActivity) throws
    /// Forgets some that were over before a moment, the oldest first.
    func forgetInsiderActivities(endedBefore moment: Instant, limit: Int) throws
}
