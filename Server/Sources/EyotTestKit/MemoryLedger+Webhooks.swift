import EyotDomain

/// Webhooks and their deliveries, in the simplest form.
extension MemoryLedger {
    package func insert(_ webhook: Webhook) -> Webhook {
        newestWebhookID += 1
        var stored = webhook
        stored.id = WebhookID(rawValue: newestWebhookID)
        webhookRows.append(stored)
        return stored
    }

    package func update(_ webhook: Webhook) {
        guard let index = webhookRows.firstIndex(where: { $0.id == webhook.id }) else { return }
        let cursor = webhookRows[index].cursor
        webhookRows[index] = webhook
        webhookRows[index].cursor = cursor
    }

    package func webhook(_ id: WebhookID, of app: AppID) -> Webhook? {
        webhookRows.first { $0.id == id && $0.app == app }
    }

    package func webhooks(of app: AppID) -> [Webhook] { webhookRows.filter { $0.app == app } }

    package func enabledWebhooks(after id: WebhookID, limit: Int) -> [Webhook] {
        Array(webhookRows.lazy.filter { $0.id.rawValue > id.rawValue && $0.disabled == nil }.prefix(limit))
    }

    package func moveCursor(of webhook: WebhookID, from former: Int64, to event: Int64) -> Bool {
        guard let index = webhookRows.firstIndex(where: { $0.id == webhook && $0.cursor == former }) else {
            return false
        }
        webhookRows[index].cursor = event
        return true
    }

    package func removeWebhook(_ id: WebhookID, of app: AppID) -> Bool {
        guard webhook(id, of: app) != nil else { return false }
        webhookDeliveries.removeAll { $0.webhook == id }
        webhookRows.removeAll { $0.id == id }
        return true
    }

    package func put(_ delivery: WebhookDelivery) {
        let place = webhookDeliveries.firstIndex {
            ($0.webhook.rawValue, $0.event) >= (delivery.webhook.rawValue, delivery.event)
        }
        guard let place else { return webhookDeliveries.append(delivery) }
        let former = webhookDeliveries[place]
        if former.webhook == delivery.webhook, former.event == delivery.event {
            webhookDeliveries[place] = delivery
        } else {
            webhookDeliveries.insert(delivery, at: place)
        }
    }

    package func delivery(of event: Int64, to webhook: WebhookID) -> WebhookDelivery? {
        webhookDeliveries.first { $0.webhook == webhook && $0.event == event }
    }

    package func deliveries(
        to webhook: WebhookID, isDead: Bool?, after event: Int64, limit: Int
    ) -> [WebhookDelivery] {
        let found = webhookDeliveries.lazy.filter { one in
            one.webhook == webhook && one.event > event && (isDead.map { (one.deadAt != nil) == $0 } ?? true)
        }
        return Array(found.prefix(limit))
    }

    package func dueDeliveries(to webhook: WebhookID, at now: Instant, limit: Int) -> [WebhookDelivery] {
        var held: Set<ActivityID> = []
        var due: [WebhookDelivery] = []
        for delivery in deliveries(to: webhook, isDead: false, after: 0, limit: .max) {
            let isFirst = delivery.activity.map { held.insert($0).inserted } ?? true
            if isFirst, delivery.dueAt <= now { due.append(delivery) }
        }
        return Array(due.sorted { ($0.dueAt, $0.event) < ($1.dueAt, $1.event) }.prefix(limit))
    }

    package func deliveryCounts(of webhook: WebhookID) -> (pending: Int, dead: Int) {
        let own = webhookDeliveries.filter { $0.webhook == webhook }
        let dead = own.count { $0.deadAt != nil }
        return (own.count - dead, dead)
    }

    package func wakeDeliveries(to webhook: WebhookID, at now: Instant) {
        for index in webhookDeliveries.indices {
            let one = webhookDeliveries[index]
            guard one.webhook == webhook, one.deadAt == nil, one.dueAt > now, one.attempts > 0 else { continue }
            webhookDeliveries[index].dueAt = now
        }
    }

    package func removeDelivery(of event: Int64, to webhook: WebhookID) {
        webhookDeliveries.removeAll { $0.webhook == webhook && $0.event == event }
    }

    package func removeDeadLetters(of webhook: WebhookID, count: Int) {
        for one in deliveries(to: webhook, isDead: true, after: 0, limit: count) {
            removeDelivery(of: one.event, to: webhook)
        }
    }

    package func removeDeadLetters(before moment: Instant, limit: Int) -> Int {
        let old = webhookDeliveries.filter { $0.deadAt.map { $0 < moment } ?? false }.prefix(limit)
        for one in old { removeDelivery(of: one.event, to: one.webhook) }
        return old.count
    }
}
