import APNSWire

/// What Apple accepted for the cards of one page at one moment: one row, however many cards.
///
/// What Apple accepts is no event, because a goal would make a million of them. If Apple accepts all 1,000 pushes of a
/// page, the row takes some 45 bytes. The story of a card is looked up in the rows of its page.
package struct Acceptances: Sendable, Hashable {
    /// Rises in the order of commits, among the ids of events; 0 until it is stored.
    package var id: Int64 = 0
    package var activity: ActivityID
    /// The number of the page, as in ``RingPage``. It counts for cards outside the ring too.
    package var page: Int
    package var at: Instant
    package var content: Content
    package var slots: RingSlots

    /// What was accepted.
    package struct Content: Sendable, Hashable {
        package var event: LiveActivityEvent
        /// The declaration that the push brought the card to; 0 for an end without a declaration.
        package var version: Version
        /// The declaration with the alert that the push carried; 0 if it carried none.
        package var alertVersion: Version

        package init(event: LiveActivityEvent, version: Version, alertVersion: Version) {
            self.event = event
            self.version = version
            self.alertVersion = alertVersion
        }

        package init(_ push: Push) {
            self.init(
                event: push.event, version: push.version, alertVersion: push.leavesAlertOut ? 0 : push.alertVersion)
        }
    }

    package init(activity: ActivityID, page: Int, at: Instant, _ content: Content, slots: RingSlots) {
        self.activity = activity
        self.page = page
        self.at = at
        self.content = content
        self.slots = slots
    }
}

/// The acceptances of one activity that one transaction settles, gathered by page.
package struct AcceptanceSheet: Sendable {
    private struct Key: Hashable {
        var page: Int
        var content: Acceptances.Content
    }

    private var sheets: [Key: RingSlots] = [:]

    package init() {}

    package mutating func note(_ push: Push, of ordinal: Int) {
        let key = Key(page: RingPage.number(of: ordinal), content: Acceptances.Content(push))
        sheets[key, default: RingSlots()].insert(ordinal)
    }

    /// Notes a push to many cards of one page.
    package mutating func note(_ push: Push, onPage page: Int, _ slots: RingSlots) {
        sheets[Key(page: page, content: Acceptances.Content(push)), default: RingSlots()].formUnion(slots)
    }

    /// The rows, in order of their pages.
    package func rows(of activity: ActivityID, at now: Instant) -> [Acceptances] {
        sheets.map { Acceptances(activity: activity, page: $0.page, at: now, $0.content, slots: $1) }
            .sorted { ($0.page, $0.content.version) < ($1.page, $1.content.version) }
    }
}

/// The rows of what Apple accepted.
package protocol AcceptanceLedger: AnyObject {
    /// Stores a row under the next id of the record.
    func record(_ acceptances: Acceptances) throws
    /// Rows of all apps with ids above `id`, oldest first.
    func acceptances(after id: Int64, limit: Int) throws -> [Acceptances]
    /// Rows of all apps with ids below `id`, newest first.
    func acceptances(before id: Int64, limit: Int) throws -> [Acceptances]
    /// Rows of one page, newest first.
    func acceptances(of activity: ActivityID, onPage page: Int, limit: Int) throws -> [Acceptances]
    /// Looks at the oldest rows, up to a limit, and removes those from before a moment.
    ///
    /// - Returns: How many were removed.
    func removeAcceptances(before moment: Instant, limit: Int) throws -> Int
    /// Removes rows of an activity.
    ///
    /// - Returns: How many were removed.
    func removeAcceptances(of activity: ActivityID, limit: Int) throws -> Int
}
