import EyotDomain

/// The public key of an app, and its rotation. Installed copies of the app use the former key until its end.
package struct AppKeys: UseCase {
    /// The longest time for which a former key lets phones register, in seconds. Many users update their apps late.
    package static let longestOverlap = 2 * 365 * 86_400
    /// The time if the caller gives none, in seconds.
    package static let usualOverlap = 180 * 86_400

    package let transaction: Transaction

    package init(_ transaction: Transaction) {
        self.transaction = transaction
    }

    /// Gives an app a new public key.
    ///
    /// - Parameters:
    ///   - fresh: Made by ``Keyring``, outside the transaction.
    ///   - overlap: Seconds for which the current key stays valid. 0 ends it at once.
    /// - Throws: `fieldInvalid` if too many former keys are still valid.
    package func rotate(_ id: AppID, to fresh: Keyring.NewSecret, overlap: Int) throws -> App {
        guard let present = try ledger.app(id) else { throw EyotError(.appUnknown, "the app was removed") }
        let former = try ledger.formerAppKeys(of: id)
        for key in former where key.until <= now { try ledger.removeFormerAppKey(key.text) }
        if overlap > 0 {
            guard former.count(where: { $0.until > now }) < FormerAppKey.limit else {
                throw EyotError(
                    .fieldInvalid, "\(FormerAppKey.limit) former app keys are still valid: withdraw them first",
                    field: "overlapSeconds")
            }
            try ledger.insert(FormerAppKey(app: id, text: present.publicKey, until: now + Double(overlap)))
        }
        var app = present
        app.publicKey = fresh.secret.text
        try transaction.update(app, from: present)
        return app
    }

    /// Ends all former keys at once.
    package func withdraw(of app: AppID) throws {
        for key in try ledger.formerAppKeys(of: app) { try ledger.removeFormerAppKey(key.text) }
    }
}

extension Ledger {
    /// The app that phones with this public key belong to.
    func app(publicKey: String, at now: Instant) throws -> App? {
        if let app = try app(publicKey: publicKey) { return app }
        guard let former = try formerAppKey(publicKey), now < former.until else { return nil }
        return try app(former.app)
    }
}
