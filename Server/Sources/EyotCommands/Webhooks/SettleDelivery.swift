import EyotDomain

/// What follows from the answer to a try. One transaction.
package struct SettleDelivery: UseCase {
    package enum Outcome: Sendable, Hashable {
        case delivered
        /// It is tried again.
        case waits
        /// It was given up.
        case dead
        /// The receiver wants no further events, so the webhook is disabled.
        case disabled
        /// Another sender has the delivery, or it is gone.
        case outdated
    }

    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// - Parameters:
    ///   - delivery: The delivery as it was claimed.
    ///   - app: The app of the webhook.
    ///   - chance: From 0 up to 1, for the spread of the next try.
    package func callAsFunction(
        _ delivery: WebhookDelivery, of app: AppID, _ answer: WebhookAnswer, chance: Double
    ) throws -> Outcome {
        guard var stored = try ledger.delivery(of: delivery.event, to: delivery.webhook) else { return .outdated }
        if answer.verdict == .delivered {
            // It has arrived, even if another sender is trying it now.
            try ledger.removeDelivery(of: delivery.event, to: delivery.webhook)
            // One good answer ends the pauses of the others (R10).
            if delivery.attempts > 0 { try ledger.wakeDeliveries(to: delivery.webhook, at: now) }
            return .delivered
        }
        guard stored.claim == delivery.claim else { return .outdated }
        stored.fail(with: answer, at: now, chance: chance)
        try ledger.put(stored)
        if stored.deadAt != nil { try trim(delivery.webhook) }
        if answer.verdict == .gone, var webhook = try ledger.webhook(delivery.webhook, of: app) {
            webhook.disabled = .init(.gone, at: now)
            try ledger.update(webhook)
            return .disabled
        }
        return stored.deadAt == nil ? .waits : .dead
    }

    private func trim(_ webhook: WebhookID) throws {
        let excess = try ledger.deliveryCounts(of: webhook).dead - Webhook.deadLetterLimit
        if excess > 0 { try ledger.removeDeadLetters(of: webhook, count: excess) }
    }
}
