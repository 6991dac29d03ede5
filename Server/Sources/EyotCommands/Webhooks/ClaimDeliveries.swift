import EyotContract
import EyotDomain

/// Deliveries that are to be tried now. One transaction.
package struct ClaimDeliveries: UseCase {
    /// A delivery that no other sender tries until its lease ends.
    package struct Claimed: Sendable {
        package var delivery: WebhookDelivery
        package var id: String
        package var entry: RecordEntry
    }

    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// Claims due deliveries. A delivery of an event that is not kept any more is removed.
    ///
    /// - Returns: The webhook as it is now, with the deliveries; nil if it is gone or disabled.
    package func callAsFunction(
        _ id: WebhookID, of app: AppID, limit: Int
    ) throws -> (webhook: Webhook, claimed: [Claimed])? {
        guard let webhook = try ledger.webhook(id, of: app), webhook.disabled == nil else { return nil }
        var claimed: [Claimed] = []
        for var delivery in try ledger.dueDeliveries(to: id, at: now, limit: limit) {
            guard let entry = try ledger.entry(delivery.event, of: app) else {
                try ledger.removeDelivery(of: delivery.event, to: id)
                continue
            }
            delivery.begin(at: now)
            try ledger.put(delivery)
            claimed.append(Claimed(delivery: delivery, id: webhook.messageID(of: entry.id), entry: entry))
        }
        return (webhook, claimed)
    }
}

extension RecordEntry {
    /// The events of the entry as a webhook may see them: without whole tokens. There are none if their phones are no
    /// longer known.
    package func views(of app: AppID, withDetails hasDetails: Bool, in ledger: any Ledger) throws -> [EventView] {
        var query = EventQuery()
        query.kinds = [kind]
        query.depth.hasDetails = hasDetails
        return try EntryReading(app: app, query: query, subjects: [.app]).views(of: self, in: ledger)
    }
}

extension WebhookMessage {
    /// The body about an event. Its data is a line of `GET /v1/events`.
    package static func body(of view: EventView) -> [UInt8] {
        body(view.event.fact.kind.rawValue, at: view.event.at, view.json)
    }

    package static func body(_ type: String, at moment: Instant, _ data: JSONValue) -> [UInt8] {
        JSONValue.object(
            JSONObject([("type", .string(type)), ("timestamp", .string(moment.rfc3339)), ("data", data)])
        ).utf8
    }
}
