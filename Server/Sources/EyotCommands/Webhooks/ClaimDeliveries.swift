import EyotContract
import EyotDomain

/// Deliveries that are to be tried now, with their text. One transaction.
package struct ClaimDeliveries: UseCase {
    /// A delivery that no other sender tries until its lease ends.
    package struct Claimed: Sendable {
        package var delivery: WebhookDelivery
        package var id: String
        package var body: [UInt8]
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
            guard let event = try event(delivery.event, of: app) else {
                try ledger.removeDelivery(of: delivery.event, to: id)
                continue
            }
            delivery.begin(at: now)
            try ledger.put(delivery)
            claimed.append(
                Claimed(
                    delivery: delivery, id: webhook.messageID(of: event.id),
                    body: WebhookMessage.body(of: try EventView(event, in: ledger))))
        }
        return (webhook, claimed)
    }

    private func event(_ id: Int64, of app: AppID) throws -> Event? {
        let next = try ledger.events(of: app, about: .app, after: id - 1, limit: 1).first
        return next?.id == id ? next : nil
    }
}

extension WebhookMessage {
    /// The body about an event. Its data is a line of `GET /v1/events`.
    static func body(of view: EventView) -> [UInt8] {
        body(view.event.fact.kind.rawValue, at: view.event.at, view.json)
    }

    static func body(_ type: String, at moment: Instant, _ data: JSONValue) -> [UInt8] {
        JSONValue.object(
            JSONObject([("type", .string(type)), ("timestamp", .string(moment.rfc3339)), ("data", data)])
        ).utf8
    }
}
