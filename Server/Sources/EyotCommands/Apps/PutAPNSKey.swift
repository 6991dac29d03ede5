import APNSWire
import EyotContract
import EyotDomain

/// Checks that a text is a private key for APNs. Otherwise it throws an error that describes the text.
///
/// The sender knows the format of key files, and this type brings the check here.
package typealias APNSKeyCheck = @Sendable (_ teamID: String, _ keyID: String, _ privateKey: String) throws -> Void

/// An APNs key as a caller sent it, checked.
package struct NewAPNSKey: Sendable {
    package var teamID: String
    package var keyID: String
    package var privateKey: Secret

    /// - Throws: `fieldInvalid` with the wrong part. The error never shows the key.
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

/// The storing of an app's APNs key for one environment. It is sealed and replaces the former key. Apple's answers to
/// pushes that the former key signed no longer pause the app. One transaction.
package struct PutAPNSKey: UseCase {
    package let transaction: Transaction
    let sealer: Sealer

    package init(_ transaction: Transaction, sealer: Sealer) {
        self.transaction = transaction
        self.sealer = sealer
    }

    package func callAsFunction(_ key: NewAPNSKey, of app: AppID, _ environment: PushEnvironment) throws -> APNSKey {
        let stored = APNSKey(
            app: app, environment: environment, teamID: key.teamID, keyID: key.keyID,
            sealed: try sealer.seal(key.privateKey, for: .apnsKey(of: app, environment)), addedAt: now)
        try ledger.put(stored)
        if let former = try ledger.app(app) {
            var owner = former
            owner.renew(in: [environment], at: now)
            try transaction.update(owner, from: former)
        }
        return stored
    }
}
