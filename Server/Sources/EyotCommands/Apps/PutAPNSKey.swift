import APNSWire
import EyotContract
import EyotDomain

/// Says whether text is a private key that Apple takes, and if not, throws an error that says what it is instead.
///
/// The sender owns the knowledge of key files; this is how it comes here.
package typealias APNSKeyCheck = @Sendable (_ teamID: String, _ keyID: String, _ privateKey: String) throws -> Void

/// An APNs key as a caller hands it in, checked.
package struct NewAPNSKey: Sendable {
    package var teamID: String
    package var keyID: String
    package var privateKey: Secret

    /// - Throws: `fieldInvalid`, which names the part that is wrong and never shows the key.
    package init(
        teamID: String, keyID: String, privateKey: String, check: APNSKeyCheck
    ) throws(EyotError) {
        for (text, field) in [(teamID, "teamID"), (keyID, "keyID")] {
            guard text.utf8.count == APNSLimits.identifierCharacters, text.utf8.allSatisfy(FieldRule.isLetterOrDigit)
            else {
                throw EyotError(
                    .fieldInvalid, "\(field) must have \(APNSLimits.identifierCharacters) letters and digits",
                    field: field)
            }
        }
        do {
            try check(teamID, keyID, privateKey)
        } catch {
            throw EyotError(.fieldInvalid, "privateKey is not an APNs key. \(error)", field: "privateKey")
        }
        (self.teamID, self.keyID, self.privateKey) = (teamID, keyID, Secret(privateKey))
    }
}

/// Stores an app's APNs key for one environment, sealed; it takes the place of the one before. What Apple answers to
/// pushes that the former key signed does not pause the app any more. One transaction.
package struct PutAPNSKey {
    let ledger: any Ledger
    let sealer: Sealer
    let now: Instant

    package init(ledger: any Ledger, sealer: Sealer, now: Instant) {
        self.ledger = ledger
        self.sealer = sealer
        self.now = now
    }

    package func callAsFunction(_ key: NewAPNSKey, of app: AppID, _ environment: PushEnvironment) throws -> APNSKey {
        let stored = APNSKey(
            app: app, environment: environment, teamID: key.teamID, keyID: key.keyID,
            sealed: try sealer.seal(key.privateKey, for: .apnsKey(of: app, environment)), addedAt: now)
        try ledger.put(stored)
        if var owner = try ledger.app(app) {
            owner.renew(in: [environment], at: now)
            try ledger.update(owner)
        }
        return stored
    }
}
