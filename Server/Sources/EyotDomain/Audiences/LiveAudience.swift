import EyotContract

/// An audience that stays open: devices that come to belong to it are started, too, until the activity ends.
package struct LiveAudience: Sendable, Hashable {
    /// What a request asks.
    package struct Terms: Sendable, Hashable {
        /// As it was written: its segments and days are those of each look.
        package var audience: JSONValue
        /// The most devices that are started so.
        package var limit: Int

        package init(audience: JSONValue, limit: Int) {
            self.audience = audience
            self.limit = limit
        }

        package static let standardLimit = 10_000
        package static let greatestLimit = 1_000_000
    }

    package var app: AppID
    package var activity: ActivityID
    package var asked: Terms
    /// On what terms its devices are started; the declaration of their attributes tells several of an activity apart.
    package var start: StartTerms
    /// Devices that were started so.
    package var started = 0
    /// Devices up to this one have been looked at since it was declared, for those who came while it was; nil where all have.
    package var looked: DeviceID? = DeviceID(rawValue: 0)

    package init(app: AppID, activity: ActivityID, asked: Terms, start: StartTerms) {
        self.app = app
        self.activity = activity
        self.asked = asked
        self.start = start
    }

    /// Whether a later call asks for the same people's cards.
    package func isAsked(again other: LiveAudience) -> Bool {
        activity == other.activity && asked.audience == other.asked.audience
            && start.isScoped == other.start.isScoped
    }

    /// Takes the place of one that was asked for before: who came to that by now has been offered a card. Who had none for
    /// what happened before may get one on other terms.
    package mutating func goOn(from former: LiveAudience) {
        started = max(started, former.started)
        if (start.isForced, start.restartsDismissed) == (former.start.isForced, former.start.restartsDismissed) {
            looked = former.looked
        }
    }

    /// Those of one app that may be open.
    package static let perApp = 100
}
