import EyotDomain

private enum Statements {
    static let insert = Webhook.table.insertNew
    static let update = Webhook.table.update
    static let webhook = Webhook.table.select("WHERE r.id = ?1 AND r.app = ?2")
    static let ofApp = Webhook.table.select("WHERE r.app = ?1 ORDER BY r.id")
    static let enabled = Webhook.table.select("WHERE r.id > ?1 AND r.disabled_at IS NULL ORDER BY r.id LIMIT ?2")
    static let move = SQLStatement("UPDATE webhooks SET cursor = ?3 WHERE id = ?1 AND cursor = ?2")
    static let remove = SQLStatement("DELETE FROM webhooks WHERE id = ?1 AND app = ?2")
    static let removeDeliveries = SQLStatement("DELETE FROM webhook_deliveries WHERE webhook = ?1")

    static let put = WebhookDelivery.table.upsert
    static let delivery = WebhookDelivery.table.select("WHERE r.webhook = ?1 AND r.event = ?2")
    static let all = deliveries("")
    static let pending = deliveries("AND r.dead_at IS NULL")
    static let dead = deliveries("AND r.dead_at IS NOT NULL")
    static let due = WebhookDelivery.table.select(
        """
        WHERE r.webhook = ?1 AND r.dead_at IS NULL AND r.due_at <= ?2 AND NOT EXISTS \
        (SELECT 1 FROM webhook_deliveries e WHERE e.webhook = ?1 AND e.activity = r.activity AND e.event < r.event \
        AND e.dead_at IS NULL AND e.activity IS NOT NULL) ORDER BY r.due_at, r.event LIMIT ?3
        """)
    static let counts = SQLStatement(
        """
        SELECT (SELECT COUNT(*) FROM webhook_deliveries WHERE webhook = ?1 AND dead_at IS NULL), \
        (SELECT COUNT(*) FROM webhook_deliveries WHERE webhook = ?1 AND dead_at IS NOT NULL)
        """)
    static let wake = SQLStatement(
        """
        UPDATE webhook_deliveries SET due_at = ?2 \
        WHERE webhook = ?1 AND dead_at IS NULL AND due_at > ?2 AND attempts > 0
        """)
    static let removeDelivery = SQLStatement("DELETE FROM webhook_deliveries WHERE webhook = ?1 AND event = ?2")
    static let removeOldest = SQLStatement(
        """
        DELETE FROM webhook_deliveries WHERE webhook = ?1 AND event IN (SELECT event FROM webhook_deliveries \
        WHERE webhook = ?1 AND dead_at IS NOT NULL ORDER BY event LIMIT ?2)
        """)
    static let forget = SQLStatement(
        """
        DELETE FROM webhook_deliveries WHERE (webhook, event) IN (SELECT webhook, event FROM webhook_deliveries \
        WHERE dead_at < ?1 LIMIT ?2)
        """)

    private static func deliveries(_ condition: String) -> SQLStatement {
        WebhookDelivery.table.select("WHERE r.webhook = ?1 AND r.event > ?2 \(condition) ORDER BY r.event LIMIT ?3")
    }
}

extension SQLLedger {
    package func insert(_ webhook: Webhook) throws -> Webhook {
        var stored = webhook
        stored.id = WebhookID(rawValue: try insertNew(webhook, Statements.insert))
        return stored
    }

    package func update(_ webhook: Webhook) throws { try update(webhook, Statements.update) }

    package func webhook(_ id: WebhookID, of app: AppID) throws -> Webhook? {
        try first(Statements.webhook, .integer(id.rawValue), SQLValue(app))
    }

    package func webhooks(of app: AppID) throws -> [Webhook] { try all(Statements.ofApp, SQLValue(app)) }

    package func enabledWebhooks(after id: WebhookID, limit: Int) throws -> [Webhook] {
        try all(Statements.enabled, .integer(id.rawValue), SQLValue(limit))
    }

    package func moveCursor(of webhook: WebhookID, from former: Int64, to event: Int64) throws -> Bool {
        try connection.execute(
            Statements.move, [.integer(webhook.rawValue), .integer(former), .integer(event)]) == 1
    }

    package func removeWebhook(_ id: WebhookID, of app: AppID) throws -> Bool {
        guard try webhook(id, of: app) != nil else { return false }
        try connection.queue(Statements.removeDeliveries, [.integer(id.rawValue)])
        return try connection.execute(Statements.remove, [.integer(id.rawValue), SQLValue(app)]) == 1
    }
}

// MARK: - Deliveries

extension SQLLedger {
    package func put(_ delivery: WebhookDelivery) throws { try connection.queue(Statements.put, delivery.values) }

    package func delivery(of event: Int64, to webhook: WebhookID) throws -> WebhookDelivery? {
        try first(Statements.delivery, .integer(webhook.rawValue), .integer(event))
    }

    package func deliveries(
        to webhook: WebhookID, isDead: Bool?, after event: Int64, limit: Int
    ) throws -> [WebhookDelivery] {
        let statement =
            switch isDead {
            case true?: Statements.dead
            case false?: Statements.pending
            case nil: Statements.all
            }
        return try all(statement, .integer(webhook.rawValue), .integer(event), SQLValue(limit))
    }

    package func dueDeliveries(to webhook: WebhookID, at now: Instant, limit: Int) throws -> [WebhookDelivery] {
        try all(Statements.due, .integer(webhook.rawValue), SQLValue(now), SQLValue(limit))
    }

    package func deliveryCounts(of webhook: WebhookID) throws -> (pending: Int, dead: Int) {
        try connection.rows(Statements.counts, [.integer(webhook.rawValue)]) {
            (try $0.integer(), try $0.integer())
        }.first ?? (0, 0)
    }

    package func wakeDeliveries(to webhook: WebhookID, at now: Instant) throws {
        try connection.queue(Statements.wake, [.integer(webhook.rawValue), SQLValue(now)])
    }

    package func removeDelivery(of event: Int64, to webhook: WebhookID) throws {
        try connection.queue(Statements.removeDelivery, [.integer(webhook.rawValue), .integer(event)])
    }

    package func removeDeadLetters(of webhook: WebhookID, count: Int) throws {
        try connection.queue(Statements.removeOldest, [.integer(webhook.rawValue), SQLValue(count)])
    }

    package func removeDeadLetters(before moment: Instant, limit: Int) throws -> Int {
        try connection.execute(Statements.forget, [SQLValue(moment), SQLValue(limit)])
    }
}
