import EyotDomain

/// The webhooks of an app: creates, changes and removes them. One transaction for each change.
package struct Webhooks: UseCase {
    package let transaction: Transaction
    let app: AppID

    package init(_ transaction: Transaction, app: AppID) {
        self.transaction = transaction
        self.app = app
    }

    /// What a caller says of a webhook. Nil changes nothing.
    package struct Wanted: Sendable {
        package var name: String?
        package var url: WebhookURL?
        package var types: [String]?

        package init(name: String?, url: WebhookURL?, types: [String]?) {
            (self.name, self.url, self.types) = (name, url, types)
        }
    }

    /// Another vendor's form of events.
    package struct Form: Sendable {
        package var vendor: String
        /// The kinds of a webhook that names none: those that have the form.
        package var types: [String]

        package init(vendor: String, kinds: Set<EventKind>) {
            (self.vendor, types) = (vendor, kinds.map(\.rawValue).sorted())
        }
    }

    /// A secret that was made and sealed outside the transaction.
    package struct NewSecret: Sendable {
        package var secret: WebhookSecret
        package var sealed: SealedSecret

        package init(_ secret: WebhookSecret, sealed: SealedSecret) { (self.secret, self.sealed) = (secret, sealed) }
    }

    /// Creates a webhook. It gets the events that happen from now on.
    ///
    /// - Parameters:
    ///   - form: The form of its events; nil for Eyot's own.
    ///   - token: The text that its secret was sealed for.
    /// - Throws: `tooManyWebhooks`.
    package func create(
        _ wanted: Wanted, to url: WebhookURL, as form: Form? = nil, token: String, secret: NewSecret
    ) throws -> Webhook {
        guard try ledger.webhooks(of: app).count < Webhook.limit else {
            throw EyotError(.tooManyWebhooks, "the app has \(Webhook.limit) webhooks already: remove some first")
        }
        var webhook = Webhook(
            app: app, token: token, name: wanted.name ?? url.host, url: url,
            types: wanted.types ?? form?.types ?? Webhook.usualTypes, secret: secret.sealed, createdAt: now)
        webhook.vendor = form?.vendor
        webhook.publicKey = secret.secret.publicKey
        webhook.cursor = max(
            try ledger.newestEvents(of: app, about: .app, before: .max, limit: 1).first?.id ?? 0,
            try ledger.acceptances(before: .max, limit: 1).first?.id ?? 0)
        return try ledger.insert(webhook)
    }

    package func change(_ id: WebhookID, to wanted: Wanted) throws -> Webhook {
        try change(id) { webhook in
            webhook.name = wanted.name ?? webhook.name
            webhook.url = wanted.url ?? webhook.url
            webhook.types = wanted.types ?? webhook.types
        }
    }

    /// Gives a webhook another secret. Messages carry signatures of both until the overlap is over.
    ///
    /// - Parameters:
    ///   - overlap: Seconds, up to ``APIKeys/longestOverlap``.
    ///   - make: Makes a secret of the same scheme, sealed for the webhook.
    package func rotate(
        _ id: WebhookID, overlap: Int, make: (Webhook) throws -> NewSecret
    ) throws -> (webhook: Webhook, secret: WebhookSecret) {
        let former = try Self.known(id, of: app, in: ledger)
        let new = try make(former)
        let changed = try change(id) { webhook in
            let isLost = webhook.disabled?.reason == .secretLost
            webhook.former =
                isLost || overlap == 0 ? nil : .init(sealed: webhook.secret, until: now + Double(overlap))
            webhook.secret = new.sealed
            webhook.publicKey = new.secret.publicKey
            if isLost { webhook.disabled = nil }
        }
        return (changed, new.secret)
    }

    /// Resumes deliveries. What waits is tried at once, and events since the disabling follow.
    package func enable(_ id: WebhookID) throws -> Webhook {
        let webhook = try change(id) { webhook throws(EyotError) in
            guard webhook.disabled?.reason != .secretLost else {
                throw EyotError(
                    .fieldInvalid, "the secret of webhook \(id.rawValue) is lost: rotate it, which also enables it")
            }
            webhook.disabled = nil
        }
        try ledger.wakeDeliveries(to: id, at: now)
        return webhook
    }

    /// Stops deliveries until the webhook is enabled.
    package func disable(_ id: WebhookID) throws -> Webhook {
        try change(id) { webhook in
            if webhook.disabled == nil { webhook.disabled = .init(.caller, at: now) }
        }
    }

    /// Tries a pending delivery at once, or a dead letter with a new schedule.
    ///
    /// - Throws: `webhookUnknown`, `deliveryUnknown`.
    package func retry(_ event: Int64, of id: WebhookID) throws -> WebhookDelivery {
        _ = try Self.known(id, of: app, in: ledger)
        guard var delivery = try ledger.delivery(of: event, to: id) else {
            throw EyotError(.deliveryUnknown, "webhook \(id.rawValue) has no delivery of event \(event)")
        }
        delivery.revive(at: now)
        try ledger.put(delivery)
        return delivery
    }

    /// - Throws: `webhookUnknown`.
    package static func known(_ id: WebhookID, of app: AppID, in ledger: any Ledger) throws -> Webhook {
        guard let webhook = try ledger.webhook(id, of: app) else { throw EyotError.webhookUnknown(id) }
        return webhook
    }

    private func change(_ id: WebhookID, _ body: (inout Webhook) throws -> Void) throws -> Webhook {
        var webhook = try Self.known(id, of: app, in: ledger)
        try body(&webhook)
        try ledger.update(webhook)
        return webhook
    }
}

extension EyotError {
    package static func webhookUnknown(_ id: WebhookID) -> EyotError {
        EyotError(.webhookUnknown, "there is no webhook \(id.rawValue)")
    }
}
