/// Webhooks and their deliveries.
package protocol WebhookLedger: AnyObject {
    /// Stores a new webhook; the id in the result is the store's.
    func insert(_ webhook: Webhook) throws -> Webhook
    /// Stores the changes of a webhook, except its cursor.
    func update(_ webhook: Webhook) throws
    func webhook(_ id: WebhookID, of app: AppID) throws -> Webhook?
    /// All webhooks of an app, in order of their ids. There are few.
    func webhooks(of app: AppID) throws -> [Webhook]
    /// Enabled webhooks of all apps with ids above `id`, in order of their ids.
    func enabledWebhooks(after id: WebhookID, limit: Int) throws -> [Webhook]
    /// Moves a cursor by compare-and-set.
    ///
    /// - Returns: Whether `former` was still stored.
    func moveCursor(of webhook: WebhookID, from former: Int64, to event: Int64) throws -> Bool
    /// Removes a webhook with its deliveries.
    ///
    /// - Returns: Whether it was there.
    func removeWebhook(_ id: WebhookID, of app: AppID) throws -> Bool

    /// Stores a delivery in place of the former one of the event.
    func put(_ delivery: WebhookDelivery) throws
    func delivery(of event: Int64, to webhook: WebhookID) throws -> WebhookDelivery?
    /// Deliveries of events above `event`, in order of the events.
    ///
    /// - Parameter isDead: Whether dead letters are wanted, or pending ones; nil means both.
    func deliveries(
        to webhook: WebhookID, isDead: Bool?, after event: Int64, limit: Int
    ) throws -> [WebhookDelivery]
    /// Pending deliveries that are due, and that no earlier pending one of the same activity holds up; soonest first.
    func dueDeliveries(to webhook: WebhookID, at now: Instant, limit: Int) throws -> [WebhookDelivery]
    /// How many deliveries are pending, and how many are dead letters.
    func deliveryCounts(of webhook: WebhookID) throws -> (pending: Int, dead: Int)
    /// Makes pending deliveries due that failed before.
    func wakeDeliveries(to webhook: WebhookID, at now: Instant) throws
    func removeDelivery(of event: Int64, to webhook: WebhookID) throws
    /// Removes the dead letters of a webhook with the oldest events.
    func removeDeadLetters(of webhook: WebhookID, count: Int) throws
    /// Removes dead letters that were given up before a moment.
    ///
    /// - Returns: How many were removed.
    func removeDeadLetters(before moment: Instant, limit: Int) throws -> Int
}

extension Ledger {
    /// When the oldest event that waits for each enabled webhook was recorded; nil if none waits.
    ///
    /// - Parameter limit: How many webhooks are looked at.
    package func oldestWaiting(limit: Int) throws -> [WebhookID: Instant?] {
        var oldest: [WebhookID: Instant?] = [:]
        for webhook in try enabledWebhooks(after: WebhookID(rawValue: 0), limit: limit) {
            let delivery = try deliveries(to: webhook.id, isDead: false, after: 0, limit: 1).first
            // Without a delivery nothing waits that the sender has seen.
            let event = try delivery.flatMap {
                try events(of: webhook.app, about: .app, after: $0.event - 1, limit: 1).first
            }
            oldest[webhook.id] = .some(event?.at)
        }
        return oldest
    }
}
