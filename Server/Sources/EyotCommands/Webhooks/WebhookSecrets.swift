import EyotContract
import EyotDomain

extension Sealer {
    /// Seals a secret of a webhook.
    package func seal(_ secret: WebhookSecret, of app: AppID, token: String) throws -> SealedSecret {
        try seal(secret.text, for: .webhook(token, of: app))
    }

    /// Opens the secrets that sign for a webhook at a moment, the newest first.
    ///
    /// - Throws: ``SealError``.
    package func secrets(of webhook: Webhook, at now: Instant) throws(SealError) -> [WebhookSecret] {
        var secrets: [WebhookSecret] = []
        for sealed in webhook.secrets(at: now) { secrets.append(try open(sealed, of: webhook)) }
        return secrets
    }

    func open(_ sealed: SealedSecret, of webhook: Webhook) throws(SealError) -> WebhookSecret {
        let text = try open(sealed, for: .webhook(webhook.token, of: webhook.app)).text
        guard let secret = WebhookSecret(text: text) else { throw .damaged(masterKeyID: sealed.masterKeyID) }
        return secret
    }
}

extension Webhook {
    /// Each sealed secret of the webhook.
    var sealed: [SealedSecret] { [secret] + (former.map { [$0.sealed] } ?? []) }

    /// Whether its secret counts as lost. It is not opened then.
    var hasLostSecret: Bool { disabled?.reason == .secretLost }

    /// Seals again what an older master key sealed.
    ///
    /// - Returns: How many secrets were sealed again.
    mutating func reseal(by sealer: Sealer) throws -> Int {
        var count = 0
        func anew(_ sealed: SealedSecret) throws -> SealedSecret {
            guard sealed.masterKeyID != sealer.masterKeyID else { return sealed }
            count += 1
            return try sealer.seal(sealer.open(sealed, of: self), of: app, token: token)
        }
        let (secret, former) = (try anew(secret), try former.map { try anew($0.sealed) })
        self.secret = secret
        if let former { self.former?.sealed = former }
        return count
    }
}
