import EyotDomain

/// The step from the record of events to deliveries of a webhook.
///
/// The record is the queue: a webhook with a cursor needs no row for an event until the event is about to be sent. So
/// no change of the model writes anything for webhooks, and a receiver that is down for days costs a limited number of
/// rows.
package enum QueueEvents {
    /// The most events that one transaction looks at, and the most deliveries that one adds.
    static let eventsAtOnce = 1_000
    static let deliveriesAtOnce = 200

    /// Entries of the record that were looked at, and those among them that the webhook wants.
    package struct Portion: Sendable {
        package var webhook: Webhook
        package var wanted: [RecordEntry]
        /// The id of the last entry that was looked at.
        package var last: Int64
        /// Whether there may be more.
        package var isFull: Bool

        /// Reads the next events of an app for a webhook.
        ///
        /// - Parameter room: How many deliveries may be added.
        /// - Returns: Nil if there are no events, or there is no room.
        init?(for webhook: Webhook, after cursor: Int64, room: Int, in ledger: any Ledger) throws {
            guard room > 0 else { return nil }
            var query = EventQuery()
            query.kinds = webhook.kinds
            let reading = EntryReading(app: webhook.app, query: query, subjects: [.app])
            let entries = try reading.entries(from: .after(cursor), in: ledger, limit: eventsAtOnce)
            guard let last = entries.last else { return nil }
            let wanted = try entries.filter { try reading.wants($0, in: ledger) }
            let most = min(room, deliveriesAtOnce)
            self.webhook = webhook
            self.wanted = Array(wanted.prefix(most))
            self.last = wanted.count > most ? wanted[most - 1].id : last.id
            isFull = wanted.count > most || entries.count >= eventsAtOnce
        }
    }

    /// Reads the events that follow a webhook's cursor.
    ///
    /// - Returns: Nil if there is nothing to do now.
    package static func next(for webhook: Webhook, in ledger: any Ledger) throws -> Portion? {
        try Portion(
            for: webhook, after: webhook.cursor,
            room: Webhook.pendingLimit - ledger.deliveryCounts(of: webhook.id).pending, in: ledger)
    }

    /// Adds the deliveries and moves the cursor, unless another sender has done so.
    ///
    /// - Returns: Whether it has added them.
    package static func add(_ portion: Portion, _ transaction: Transaction) throws -> Bool {
        let webhook = portion.webhook
        guard try transaction.ledger.moveCursor(of: webhook.id, from: webhook.cursor, to: portion.last) else {
            return false
        }
        for entry in portion.wanted { try put(entry, for: webhook, transaction) }
        return true
    }

    /// Adds the delivery of an event. One that is pending stays as it is.
    ///
    /// - Returns: Whether it was added.
    @discardableResult
    static func put(_ entry: RecordEntry, for webhook: Webhook, _ transaction: Transaction) throws -> Bool {
        let ledger = transaction.ledger
        if let former = try ledger.delivery(of: entry.id, to: webhook.id), former.deadAt == nil { return false }
        try ledger.put(
            WebhookDelivery(
                webhook: webhook.id, event: entry.id, activity: entry.activity, dueAt: transaction.now))
        return true
    }
}
