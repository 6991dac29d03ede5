import EyotContract

/// An audience that stays open: devices that join it later are started too, until the activity ends.
package struct LiveAudience: Sendable, Hashable {
    /// The terms of a request.
    package struct Terms: Sendable, Hashable {
        /// The audience as the caller wrote it. Its segments and days are resolved at each look.
        package var audience: JSONValue
        /// The most devices that it starts.
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
    /// The terms on which its devices are started. The version of their attributes tells several live audiences of an
    /// activity apart.
    package var start: StartTerms
    /// The number of devices that it has started.
    package var started = 0
    /// Devices up to this one have been looked at since the declaration, because some joined the audience while it was
    /// accepted; nil if all have.
    package var looked: DeviceID? = DeviceID(rawValue: 0)

    package init(app: AppID, activity: ActivityID, asked: Terms, start: StartTerms) {
        self.app = app
        self.activity = activity
        self.asked = asked
        self.start = start
    }

    /// Whether another live audience repeats this one for the same cards.
    package func isAsked(again other: LiveAudience) -> Bool {
        activity == other.activity && asked.audience == other.asked.audience
            && start.isScoped == other.start.isScoped
    }

    /// Continues a former live audience that this one repeats. Devices that joined the former one have been offered a
    /// card. If the terms on repeated starts differ, all devices are looked at again, because a device without a card
    /// may get one now.
    package mutating func resume(from former: LiveAudience) {
        started = max(started, former.started)
        if (start.isForced, start.restartsDismissed) == (former.start.isForced, former.start.restartsDismissed) {
            looked = former.looked
        }
    }

    /// The most live audiences of one app that may be open.
    package static let perApp = 100
}
